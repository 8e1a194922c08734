import { asService, type May } from '#authority/proof.ts'
import { refuseGivingBeyondReach } from '#authority/reach/index.ts'
import { plural } from '#kernel/plural.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import {
  ensureEnrollment,
  ensureProfilesApp,
  removeEntitlementWithAll,
  renameEnrollment,
} from '#rooms/records/apps/index.ts'
import { keyOf, nameProblem, onceEach } from '../decide.ts'
import { hasEnrollment, keepEntitlements } from '../entries/keep.ts'
import { deleteEnrollmentEntry, insertEnrollmentEntry, listEntryRefs } from '../entries/store.ts'
import { keepProfile } from '../keep.ts'
import { type EntitlementRef, enrollmentOf, type Profile, type ProfileTerms } from '../profile.ts'
import { logged, recordProfileChange } from '../record-change.ts'
import { refuseBypass } from '../refuse.ts'
import { bindingsMax } from './shapes.ts'
import { deleteBindings, deleteProfile, insertBindings, insertProfile, listBindings, updateProfile } from './store.ts'

const tidy = (terms: ProfileTerms, prefix: string): ProfileTerms => {
  const problem = nameProblem(`${prefix}displayName`, terms)
  if (problem) throw invalid(problem)
  return { ...terms, displayName: terms.displayName.trim() }
}

export async function createProfile(tx: Tx, call: May<'profiles.change'>, wanted: ProfileTerms): Promise<Profile> {
  const terms = tidy(wanted, '')
  refuseBypass(call, terms)
  const at = call.now()
  const profile: Profile = {
    ...terms,
    id: call.newId(),
    createdByUserId: call.actor.userId,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }
  await insertProfile(tx, call, profile)
  await putEnrollment(tx, call, profile)
  await recordProfileChange(tx, call, 'create', 'Created', { profile })
  return profile
}

export type ProfileChanges = Partial<ProfileTerms> & { accessEntitlements?: readonly EntitlementRef[] }

export async function changeProfile(
  tx: Tx,
  call: May<'profiles.change'>,
  id: string,
  changes: ProfileChanges,
): Promise<Profile> {
  const before = await keepProfile(tx, call, id)
  const { accessEntitlements, ...sent } = changes
  const after: Profile = { ...before, ...tidy({ ...before, ...sent }, 'catalog.'), updatedAt: call.now() }
  refuseBypass(call, after)
  if (isOfferedOtherwise(before, after)) await refuseOffering(tx, call, id)
  await updateProfile(tx, call, after)
  await putEnrollment(tx, call, after)
  if (accessEntitlements) {
    const bound = await listBindings(tx, call.tenant.id, [id])
    await deleteBindings(tx, call, id, 'all')
    await bind(tx, call, id, accessEntitlements, { field: 'catalog.accessEntitlements', bound })
  }
  await recordProfileChange(tx, call, 'update', `Changed ${Object.keys(changes).join(', ') || 'nothing'} of`, {
    profile: after,
    before: logged(before),
  })
  return after
}

/** Whether the change lets others request what a profile contains, or lets them request it in another way. */
const isOfferedOtherwise = (before: Profile, after: Profile): boolean =>
  (['published', 'visibleToEveryone', 'requestBundle', 'enrollmentBehavior'] as const).some(
    (name) => before[name] !== after[name],
  )

/** Letting more people request something is a way to grant it, if the policy depends on who may request it. */
const refuseOffering = async (tx: Tx, call: Call, id: string): Promise<void> =>
  refuseGivingBeyondReach(tx, call, await listEntryRefs(tx, call.tenant.id, id))

/** A profile that can be requested as a whole has an enrollment; afterwards the enrollment is kept for its members. */
async function putEnrollment(tx: Tx, call: Call, profile: Profile): Promise<void> {
  if (profile.requestBundle) {
    await needEnrollment(tx, call, profile)
    await insertEnrollmentEntry(tx, call.tenant.id, profile.id, call.now())
  } else await deleteEnrollmentEntry(tx, call.tenant.id, profile.id)
  await renameEnrollment(tx, call.tenant.id, profile)
}

/** Creates the entitlement of the enrollment, if there is none. */
export async function needEnrollment(tx: Tx, call: Call, profile: Profile): Promise<void> {
  await ensureProfilesApp(tx, call.tenant.id, call.now())
  await ensureEnrollment(tx, call.tenant.id, profile, call.now())
}

/** Deletes a profile. Its members leave it: their access is handled by its unenrollment behavior. */
export async function removeProfile(tx: Tx, call: May<'profiles.change'>, id: string): Promise<void> {
  const profile = await keepProfile(tx, call, id)
  await deleteProfile(tx, call, id, call.now())
  const { appId, id: entitlementId } = enrollmentOf(id)
  if (await hasEnrollment(tx, call.tenant.id, id)) {
    const along = asService(call, 'entitlement.delete', 'the enrollment of a profile is deleted with the profile')
    await removeEntitlementWithAll(tx, along, appId, entitlementId)
  }
  await recordProfileChange(tx, call, 'delete', 'Deleted', { profile })
}

async function bind(
  tx: Tx,
  call: May<'profiles.change'>,
  id: string,
  refs: readonly EntitlementRef[],
  { field, bound }: { field: string; bound: readonly EntitlementRef[] },
): Promise<EntitlementRef[]> {
  const wanted = onceEach(refs)
  await keepEntitlements(tx, call, wanted, field)
  const before = new Set(bound.map(keyOf))
  if (wanted.some((ref) => !before.has(keyOf(ref)))) await refuseOffering(tx, call, id)
  if (wanted.length > 0) await insertBindings(tx, call, id, wanted, call.now())
  if ((await listBindings(tx, call.tenant.id, [id])).length > bindingsMax)
    throw invalid({ field, description: `an access profile is bound to at most ${bindingsMax} entitlements` })
  return wanted
}

/** Everyone who holds one of these can see the profile. */
export async function addBindings(
  tx: Tx,
  call: May<'profiles.change'>,
  id: string,
  refs: readonly EntitlementRef[],
  field: string,
): Promise<void> {
  const profile = await keepProfile(tx, call, id)
  const bound = await bind(tx, call, id, refs, { field, bound: await listBindings(tx, call.tenant.id, [id]) })
  await recordProfileChange(tx, call, 'update', `Added ${plural(bound.length, 'entitlement')} to the visibility of`, {
    profile,
    shown: bound,
  })
}

/** Entitlements that are not bound are ignored: removing one twice is not an error. */
export async function removeBindings(
  tx: Tx,
  call: May<'profiles.change'>,
  id: string,
  refs: readonly EntitlementRef[],
): Promise<void> {
  const profile = await keepProfile(tx, call, id)
  const count = await deleteBindings(tx, call, id, refs)
  await recordProfileChange(tx, call, 'update', `Removed ${plural(count, 'entitlement')} from the visibility of`, {
    profile,
    hidden: onceEach(refs),
  })
}

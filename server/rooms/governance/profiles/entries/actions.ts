import type { May } from '#authority/proof.ts'
import { refuseGivingBeyondReach } from '#authority/reach/index.ts'
import { plural } from '#kernel/plural.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import { onceEach } from '../decide.ts'
import { keepProfile } from '../keep.ts'
import { entriesGiven } from '../names.ts'
import { type EntitlementRef, enrollmentOf, type Profile } from '../profile.ts'
import { recordProfileChange } from '../record-change.ts'
import { entryNotFound, refuseBypass, tooManyEntries } from '../refuse.ts'
import { keepEntitlements } from './keep.ts'
import {
  countEntries,
  deleteEntries,
  deleteOtherEntries,
  insertEntries,
  listReadByAutomation,
  orderEntries,
} from './store.ts'

/** How many entitlements one profile may contain. */
const entriesMax = 20_000

/** Enqueues granting the new entitlements to members, or requesting them, as the profile specifies. */
async function requestFor(tx: Tx, call: Call, profileId: string, refs: readonly EntitlementRef[]): Promise<void> {
  if (refs.length > 0)
    await enqueue(tx, call, call, entriesGiven, {
      payload: { profileId, refs },
      subject: { type: 'request_catalog', id: profileId },
    })
}

function refuseNested(refs: readonly EntitlementRef[], field: string): void {
  const [first, ...others] = refs.flatMap(({ appId }, i) =>
    appId === profilesAppId
      ? [
          {
            field: `${field}[${i}]`,
            description: 'is the enrollment of an access profile, which cannot contain others',
          },
        ]
      : [],
  )
  if (first) throw invalid(first, ...others)
}

/** A profile cannot contain what its automation reads: its members would stay enrolled because of what enrollment grants. */
async function refuseCircle(tx: Tx, call: Call, profileId: string, refs: readonly EntitlementRef[]): Promise<void> {
  const [first] = await listReadByAutomation(tx, call.tenant.id, profileId, refs)
  if (!first) return
  const { appId, id } = enrollmentOf(profileId)
  throw new Refusal(
    'AUTOMATION_CIRCLE',
    `The automation of the access profile enrolls who holds the entitlement ${first.id}, so that the profile cannot contain it.`,
    { metadata: { appId, appEntitlementId: id, circle: `${first.appId}/${first.id}` } },
  )
}

async function add(
  tx: Tx,
  call: May<'profiles.change'>,
  profile: Profile,
  refs: readonly EntitlementRef[],
  field: string,
) {
  refuseNested(refs, field)
  if (refs.length > 0) refuseBypass(call, profile)
  await keepEntitlements(tx, call, refs, field)
  await refuseCircle(tx, call, profile.id, refs)
  const added = await insertEntries(tx, call, profile.id, refs, call.now())
  await refuseGivingBeyondReach(tx, call, added)
  if ((await countEntries(tx, call.tenant.id, profile.id)) > entriesMax) throw tooManyEntries(profile.id, entriesMax)
  return added
}

/** Adds entitlements to a profile; those that it contains already keep their place. */
export async function addEntries(
  tx: Tx,
  call: May<'profiles.change'>,
  id: string,
  asked: { refs: readonly EntitlementRef[]; createRequests: boolean; field: string },
): Promise<void> {
  const profile = await keepProfile(tx, call, id)
  const added = await add(tx, call, profile, onceEach(asked.refs), asked.field)
  if (asked.createRequests) await requestFor(tx, call, id, added)
  await recordProfileChange(tx, call, 'update', `Added ${plural(added.length, 'entitlement')} to`, { profile, added })
}

/** Sets the contents of a profile, in this order. Members keep what they have, and are granted nothing. */
export async function replaceEntries(
  tx: Tx,
  call: May<'profiles.change'>,
  id: string,
  asked: { refs: readonly EntitlementRef[]; field: string },
): Promise<void> {
  const profile = await keepProfile(tx, call, id)
  const refs = onceEach(asked.refs)
  const removed = await deleteOtherEntries(tx, call, id, refs)
  const added = await add(tx, call, profile, refs, asked.field)
  await orderEntries(tx, call.tenant.id, id, refs)
  const done = `Added ${plural(added.length, 'entitlement')} to and removed ${removed.length} from`
  await recordProfileChange(tx, call, 'update', done, { profile, added, removed })
}

/** Removes entitlements from a profile; those that it does not contain are ignored. Members keep what they have. */
export async function removeEntries(
  tx: Tx,
  call: May<'profiles.change'>,
  id: string,
  refs: readonly EntitlementRef[],
): Promise<void> {
  const profile = await keepProfile(tx, call, id)
  const removed = await deleteEntries(tx, call, id, refs)
  await recordProfileChange(tx, call, 'update', `Removed ${plural(removed.length, 'entitlement')} from`, {
    profile,
    removed,
  })
}

export async function removeEntry(
  tx: Tx,
  call: May<'profiles.change'>,
  id: string,
  ref: EntitlementRef,
): Promise<void> {
  const profile = await keepProfile(tx, call, id)
  const removed = await deleteEntries(tx, call, id, [ref])
  if (removed.length === 0) throw entryNotFound(id, ref)
  await recordProfileChange(tx, call, 'update', 'Removed an entitlement from', { profile, removed })
}

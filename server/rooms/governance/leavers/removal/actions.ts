import { denied, deniedFor, lacking, may } from '#authority/may.ts'
import { authorise, type May } from '#authority/proof.ts'
import { refuseBeyondReach } from '#authority/reach/index.ts'
import { plural } from '#kernel/plural.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { notUndoable, notUndone, refuseOutdated } from '#rooms/foundation/plans/index.ts'
import { causeOf, change, record } from '#rooms/foundation/systemlog/index.ts'
import { cancelTask } from '#rooms/governance/tasks/index.ts'
import { forgetUser } from '#rooms/identity/credentials/index.ts'
import { authoredBy } from '#rooms/identity/tokens/index.ts'
import {
  changeStatus,
  getUser,
  lockOwnership,
  lockUsers,
  type User,
  userNotFound,
} from '#rooms/identity/users/index.ts'
import { endGrants, type HoldingRef, insertGrants } from '#rooms/records/grants/index.ts'
import { addExclusions, removeExclusions } from '#rooms/rules/automation/index.ts'
import { grantedAgain, whyNotRestored } from './decide.ts'
import { removalRevocations, revocationsOf } from './names.ts'
import { grantsMax, type Plan, planIn } from './plan.ts'
import type { Options, Removal } from './removal.ts'
import {
  findByPlan,
  findRemoval,
  holdEntitlements,
  insertRemoval,
  listEndedBy,
  lockRemoval,
  setUndone,
} from './store.ts'

/** What removing all access of a person would do. Nothing is changed. */
export async function planRemoval(call: Call, userId: string, options: Options): Promise<{ user: User; plan: Plan }> {
  refuseOptions(call, options)
  const user = await getUser(call, userId)
  return { user, plan: await transact(call.db, (tx) => planIn(tx, call, user, options)) }
}

/** Each option needs the permission that its change needs separately. */
function refuseOptions({ actor }: Call, { excludes, disables }: Options): void {
  const needed = [...(excludes ? (['rules.edit'] as const) : []), ...(disables ? (['users.edit'] as const) : [])]
  const missing = lacking(actor, needed)
  if (missing.length > 0) throw deniedFor(missing)
}

const refOf = ({ appId, entitlementId, accountId }: HoldingRef): HoldingRef => ({ appId, entitlementId, accountId })

type Wanted = { options: Options; fingerprint: string; reason: string }

/**
 * Removes all access of a person, exactly as a plan showed it, in one transaction that locks the person: concurrent grants
 * to them wait. Applying the same plan twice makes one removal.
 */
export async function removeAccess(
  call: May<'access-removals.run'>,
  userId: string,
  { options, fingerprint, reason }: Wanted,
): Promise<Removal> {
  refuseOptions(call, options)
  await getUser(call, userId)
  const removal = await transact(call.db, async (tx) => {
    // Lock order: Super Administrators first, as everywhere.
    if (options.disables) await lockOwnership(tx, call.tenant.id)
    const [user] = await lockUsers(tx, call.tenant.id, [userId], call.now())
    if (!user) throw userNotFound(userId)
    const before = await findByPlan(tx, call.tenant.id, userId, fingerprint)
    if (before) return before
    const plan = await planIn(tx, call, user, options)
    refuseOutdated(plan.fingerprint, fingerprint)
    return carryOut(tx, call, user, { plan, options, reason })
  })
  if (options.disables) await forgetUser(call, userId)
  return removal
}

async function carryOut(
  tx: Tx,
  call: May<'access-removals.run'>,
  user: User,
  { plan, options, reason }: { plan: Plan; options: Options; reason: string },
): Promise<Removal> {
  const at = call.now()
  const id = call.newId()
  const byHand = plan.items.filter(({ outcome }) => outcome === 'manual').map(refOf)
  if (byHand.length > 0 && !may(call.actor, 'tasks.request-for-others')) throw denied('tasks.request-for-others')
  const ends = plan.items.filter(({ outcome }) => outcome === 'ends')
  const excluded = plan.rules
    .filter((rule) => rule.isToExclude)
    .map(({ appId, entitlementId }) => ({ appId, id: entitlementId }))
  const ended = await endGrants(tx, call, ends.map(refOf), { by: id, at })
  for (const ref of excluded) await addExclusions(tx, authorise(call, 'rules.edit'), ref, [user.id], reason)
  if (options.disables && user.status === 'ENABLED')
    await changeStatus(tx, authorise(call, 'users.edit'), user.id, 'DISABLED', reason)
  const removal: Removal = {
    id,
    userId: user.id,
    fingerprint: plan.fingerprint,
    reason,
    askedBy: call.actor.userId,
    ...authoredBy(call.actor),
    sourceAddress: call.sourceAddress,
    requestId: call.requestId,
    createdAt: at,
    grantCount: ends.length,
    excluded,
    byHand,
    byHandError: '',
    isDisabled: options.disables,
    ...notUndone,
  }
  await insertRemoval(tx, call.tenant.id, removal)
  const counts = { grants: ends.length, excluded: excluded.length, byHand: byHand.length, disabled: options.disables }
  await recordRemoval(tx, call, removal, {
    activity: 'delete',
    message: `Removed access of ${user.displayName}: ${plural(ends.length, 'entitlement')}`,
    data: { reason, ...counts },
    touched: ended.map(({ id: grantId, source, ...ref }) => ({
      type: 'grant',
      id: grantId,
      data: { ...refOf(ref), source },
    })),
  })
  if (byHand.length > 0) await enqueue(tx, call, causeOf(call), removalRevocations, revocationsOf(id))
  return removal
}

type Touched = { type: string; id: string; data: object }
type Told = { activity: 'create' | 'delete'; message: string; data: object; touched: readonly Touched[] }

const touchedPerEvent = 100
const eventsAtOnce = 20

/**
 * Records a group of events: each contains the removal and up to 100 of the grants, the first one also the reason and the
 * counts.
 */
async function recordRemoval(
  tx: Tx,
  call: Call,
  removal: Removal,
  { activity, message, data, touched }: Told,
): Promise<void> {
  const cause = causeOf(call)
  const of = (more: object) => ({ type: 'access_removal', id: removal.id, data: { userId: removal.userId, ...more } })
  const parts = Array.from({ length: Math.max(1, Math.ceil(touched.length / touchedPerEvent)) }, (_, i) =>
    touched.slice(i * touchedPerEvent, (i + 1) * touchedPerEvent),
  )
  const events = parts.map((part, i) => change(cause, activity, message, [of(i === 0 ? data : {}), ...part]))
  for (let from = 0; from < events.length; from += eventsAtOnce)
    await record(tx, call, call, ...events.slice(from, from + eventsAtOnce))
}

const removalNotFound = (id: string): Refusal =>
  new Refusal('ACCESS_REMOVAL_NOT_FOUND', `There is no removal ${id}.`, { metadata: { id } })

/**
 * Grants again what a removal ended, as far as that is still possible; removes the exclusions that it added, so that rules
 * include the person again; and cancels the revocations that are still open. It does not enable the person: that is a
 * separate request.
 */
export async function undoRemoval(call: May<'access-removals.run'>, userId: string, id: string): Promise<Removal> {
  await getUser(call, userId)
  return transact(call.db, async (tx) => {
    const [user] = await lockUsers(tx, call.tenant.id, [userId], call.now())
    const removal = await lockRemoval(tx, call.tenant.id, id)
    if (!user || removal?.userId !== userId) throw removalNotFound(id)
    if (removal.undoneAt) throw notUndoable('This removal was already undone.')
    if (user.status !== 'ENABLED')
      throw new Refusal('SUBJECT_DISABLED', `${user.displayName} is disabled. Enable the person first.`)
    const at = call.now()
    const { restored, left } = await restore(tx, call, removal, at)
    // Rules grant again what they granted, once they are evaluated for the person.
    for (const ref of removal.excluded) await removeExclusions(tx, authorise(call, 'rules.edit'), ref, [userId])
    for (const { taskId } of removal.byHand)
      if (taskId) await cancelTask(tx, call, taskId, 'The removal of access that opened this task was undone.')
    await setUndone(tx, call.tenant.id, id, { by: call.actor.userId, at, restored: restored.length, left })
    await recordRemoval(tx, call, removal, {
      activity: 'create',
      message: `Undid a removal of access of ${user.displayName}: ${restored.length} granted again`,
      data: { restored: restored.length, left },
      touched: restored.map(({ id: grantId, source, ...ref }) => ({
        type: 'grant',
        id: grantId,
        data: { ...refOf(ref), source },
      })),
    })
    return (await findRemoval(tx, call.tenant.id, id)) as Removal
  })
}

async function restore(tx: Tx, call: May<'access-removals.run'>, removal: Removal, at: Date) {
  const ended = await listEndedBy(tx, call.tenant.id, removal, at)
  await holdEntitlements(tx, call.tenant.id, ended)
  // Read again now that nobody can delete them.
  const rows = await listEndedBy(tx, call.tenant.id, removal, at)
  const able = rows.filter((row) => whyNotRestored(row, at) === null)
  for (const ref of new Map(able.map((row) => [`${row.appId} ${row.entitlementId}`, row])).values())
    await refuseBeyondReach(tx, call, { appId: ref.appId, id: ref.entitlementId })
  const restored = able.map((row) => ({ ...grantedAgain(row, call.actor.userId), id: call.newId(), ...refOf(row) }))
  await insertGrants(tx, call, restored, at)
  return { restored, left: rows.length - restored.length }
}

export { grantsMax }

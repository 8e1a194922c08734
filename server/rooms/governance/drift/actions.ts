import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { causeOf, change, record } from '#rooms/foundation/systemlog/index.ts'
import { createTask, nextNumber } from '#rooms/governance/tasks/index.ts'
import { keepApp, keepEntitlement, refuseBeyondReach } from '#rooms/records/apps/index.ts'
import { endGrants, type HoldingRef, openGrants } from '#rooms/records/grants/index.ts'
import { type Drift, type Remedy, remediesOf, removable } from './drift.ts'
import { findDrift } from './store.ts'

export type Outcome = HoldingRef & { error: string; taskId: string }

/** Applies a remedy to some differences, each by itself: one that is refused keeps none of the others from it. */
export async function resolveDrift(call: Call, remedy: Remedy, refs: readonly HoldingRef[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const ref of refs) {
    try {
      outcomes.push({ ...ref, error: '', taskId: await resolveOne(call, remedy, ref) })
    } catch (error) {
      if (!(error instanceof Refusal) || error.reason === 'TOO_MANY_REQUESTS') throw error
      outcomes.push({ ...ref, error: error.message, taskId: '' })
    }
  }
  return outcomes
}

/** Answers the id of the task that it created, if any. */
async function resolveOne(call: Call, remedy: Remedy, ref: HoldingRef): Promise<string> {
  const number = remedy === 'revoke' ? await nextNumber(call, call.tenant.id) : 0
  return transact(call.db, async (tx) => {
    await keepApp(tx, call, ref.appId)
    await keepEntitlement(tx, call, ref.appId, ref.entitlementId)
    const found = await findDrift(tx, call.tenant.id, ref, call.now())
    if (!found) throw new Refusal('DRIFT_NOT_FOUND', 'There is no such difference any more.')
    if (!remediesOf[found.kind].includes(remedy))
      throw new Refusal('REMEDY_UNAVAILABLE', `"${remedy}" does not apply to access that is ${found.kind}.`)
    if (remedy === 'revoke') return revoke(tx, call, number, found)
    await (remedy === 'keep' ? keep(tx, call, found) : remove(tx, call, found))
    return ''
  })
}

/** What the app has is right: it is recorded as given by hand. */
async function keep(tx: Tx, call: Call, { appId, entitlementId, accountId, entitlementName }: Drift): Promise<void> {
  await refuseBeyondReach(tx, call, { appId, id: entitlementId })
  const at = call.now()
  const wanted = { id: call.newId(), appId, entitlementId, accountId }
  await openGrants(tx, call.tenant.id, [wanted], { source: 'manual', by: call.actor.userId, at })
  const touched = { type: 'grant', id: wanted.id, data: { appId, entitlementId, accountId } }
  await record(tx, call, call, change(causeOf(call), 'create', `Kept ${entitlementName}, found in the app`, [touched]))
}

/** The app should not have it: a task revokes it, under the policy for that. */
async function revoke(tx: Tx, call: Call, number: number, { appId, entitlementId, accountId }: Drift): Promise<string> {
  const { task } = await createTask(tx, call, number, {
    ...{ kind: 'revoke', appId, entitlementId, identityUserId: '', appUserId: accountId },
    ...{ durationSeconds: null, isEmergency: false, answers: null, source: {} },
    description: 'The app has this access, and nothing here says why.',
  })
  return task.id
}

/** The app is right that nobody has it: the reasons for it end. */
async function remove(tx: Tx, call: Call, found: Drift): Promise<void> {
  const { appId, entitlementId, accountId, entitlementName } = found
  const others = found.sources.filter((source) => !removable.includes(source))
  if (others.length > 0)
    throw new Refusal(
      'REMEDY_UNAVAILABLE',
      `A ${others.join(' and a ')} gives this access. Change that, or exclude the person there.`,
    )
  const at = call.now()
  const ended = await endGrants(tx, call.tenant.id, [{ appId, entitlementId, accountId }], {
    by: call.actor.userId,
    at,
  })
  const touched = ended.map(({ id, source }) => ({
    type: 'grant',
    id,
    data: { source, appId, entitlementId, accountId },
  }))
  await record(
    tx,
    call,
    call,
    change(causeOf(call), 'delete', `Removed the record of ${entitlementName}, missing in the app`, touched),
  )
}

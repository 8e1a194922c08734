import type { May } from '#authority/proof.ts'
import { refuseBeyondReach } from '#authority/reach/index.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { createTask, provisionAgain } from '#rooms/governance/tasks/index.ts'
import { keepApp, keepEntitlement } from '#rooms/records/apps/index.ts'
import { endGrants, type HoldingRef, openGrants } from '#rooms/records/grants/index.ts'
import { whyNot } from './decide.ts'
import type { Drift, Remedy } from './drift.ts'
import { findDrift } from './store.ts'

/** The result of a remedy: the task that was opened, and the grants that were recorded or ended. */
export type Remedied = { taskId: string; grantIds: readonly string[] }

const isGone = (): Refusal => new Refusal('DRIFT_NOT_FOUND', 'This difference no longer exists.')

/** Applies a remedy to a difference, if the difference exists and the remedy applies to it. The number is for a task. */
export async function applyRemedy(
  tx: Tx,
  call: May<'drift.resolve'>,
  remedy: Remedy,
  ref: HoldingRef,
  number: number,
): Promise<Remedied> {
  await keepApp(tx, call, ref.appId)
  await keepEntitlement(tx, call, ref.appId, ref.entitlementId)
  const [found] = await findDrift(tx, call.tenant.id, [ref], call.now())
  if (!found) throw isGone()
  const why = whyNot(remedy, found)
  if (why !== null) throw new Refusal('REMEDY_UNAVAILABLE', why)
  if (remedy === 'keep') return { taskId: '', grantIds: await keep(tx, call, found) }
  if (remedy === 'remove') return { taskId: '', grantIds: await remove(tx, call, found) }
  const taskId = await (remedy === 'revoke' ? revoke : provisionAgain)(tx, call, number, found)
  return { taskId, grantIds: [] }
}

/** The app is right: its access is recorded as a manual grant. */
async function keep(tx: Tx, call: May<'drift.resolve'>, found: Drift): Promise<string[]> {
  const { appId, entitlementId, accountId, entitlementName } = found
  await refuseBeyondReach(tx, call, { appId, id: entitlementId })
  const at = call.now()
  const wanted = { id: call.newId(), appId, entitlementId, accountId }
  const opened = await openGrants(tx, call, [wanted], { source: 'manual', by: call.actor.userId, at })
  if (opened.length === 0) throw isGone()
  const touched = { type: 'grant', id: wanted.id, data: { appId, entitlementId, accountId } }
  await recordChange(tx, call, 'create', `Kept ${entitlementName}, found in the app`, [touched])
  return [wanted.id]
}

/** The access should not be in the app: a task revokes it, under the revoke policy. */
async function revoke(
  tx: Tx,
  call: May<'drift.resolve'>,
  number: number,
  { appId, entitlementId, accountId }: Drift,
): Promise<string> {
  const { task } = await createTask(tx, call, number, {
    kind: 'revoke',
    appId,
    entitlementId,
    identityUserId: '',
    appUserId: accountId,
    durationSeconds: null,
    isEmergency: false,
    answers: null,
    source: {},
    description: 'The app has this access without a grant.',
  })
  return task.id
}

/** The app is right that nobody has it: its grants end. */
async function remove(tx: Tx, call: May<'drift.resolve'>, found: Drift): Promise<string[]> {
  const { appId, entitlementId, accountId, entitlementName } = found
  const ref = { appId, entitlementId, accountId }
  const ended = await endGrants(tx, call, [ref], { by: call.actor.userId, at: call.now() })
  if (ended.length === 0) throw isGone()
  const touched = ended.map(({ id, source }) => ({ type: 'grant', id, data: { source, ...ref } }))
  const message = `Removed the grant of ${entitlementName}, missing in the app`
  await recordChange(tx, call, 'delete', message, touched)
  return ended.map(({ id }) => id)
}

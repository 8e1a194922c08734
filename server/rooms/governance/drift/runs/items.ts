import type { May } from '#authority/proof.ts'
import { Refusal } from '#kernel/refusals.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { cancelTask, nextNumber } from '#rooms/governance/tasks/index.ts'
import { keepApp, keepEntitlement } from '#rooms/records/apps/index.ts'
import { endGrants, type HoldingRef, insertGrants } from '#rooms/records/grants/index.ts'
import { applyRemedy } from '../actions.ts'
import type { Remedy } from '../drift.ts'
import type { Item, Run } from './run.ts'
import { insertRefused, isOpenGrant, listEnded, lockItem, putItem } from './store.ts'

const opensTask = (remedy: Remedy): boolean => remedy === 'revoke' || remedy === 'provision'
const refOf = ({ appId, entitlementId, accountId }: HoldingRef): HoldingRef => ({ appId, entitlementId, accountId })

/** Errors that would occur again: refusals, except those caused by concurrent changes, which are retried. */
const isFinal = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.status < 500 && error.reason !== 'TOO_MANY_REQUESTS' && error.reason !== 'LOST_RACE'

/** Applies the remedy of a run to a difference, and saves the result in the same transaction. */
export async function settleItem(
  call: May<'drift.resolve'>,
  { id: runId, remedy }: Run,
  of: HoldingRef,
): Promise<Item> {
  const ref = refOf(of)
  // Reserved before the transaction: a block of numbers is a separate transaction.
  const number = opensTask(remedy) ? await nextNumber(call, call.tenant.id) : 0
  try {
    return await transact(call.db, async (tx) => {
      const done: Item = { ...ref, ...(await applyRemedy(tx, call, remedy, ref, number)), state: 'done', error: '' }
      await putItem(tx, call.tenant.id, runId, done)
      return done
    })
  } catch (error) {
    if (!isFinal(error)) throw error
    const refused: Item = { ...ref, state: 'refused', error: error.message, taskId: '', grantIds: [] }
    // Unknown ids are reported, but not saved. If two refs are the same, the second does not replace the first.
    if (!error.reason.endsWith('_NOT_FOUND'))
      await transact(call.db, (tx) => insertRefused(tx, call.tenant.id, runId, refused))
    return refused
  }
}

/** The same for one that waits; does nothing if another process has done it. */
export async function settleWaiting(call: May<'drift.resolve'>, run: Run, of: HoldingRef): Promise<void> {
  const ref = refOf(of)
  const number = opensTask(run.remedy) ? await nextNumber(call, call.tenant.id) : 0
  try {
    await transact(call.db, async (tx) => {
      if (!(await lockItem(tx, call.tenant.id, run.id, ref, 'waiting'))) return
      const done = await applyRemedy(tx, call, run.remedy, ref, number)
      await putItem(tx, call.tenant.id, run.id, { ...ref, ...done, state: 'done', error: '' })
    })
  } catch (error) {
    if (!isFinal(error)) throw error
    await transact(call.db, async (tx) => {
      if (await lockItem(tx, call.tenant.id, run.id, ref, 'waiting'))
        await putItem(tx, call.tenant.id, run.id, {
          ...ref,
          state: 'refused',
          error: error.message,
          taskId: '',
          grantIds: [],
        })
    })
  }
}

/** Undoes what a run did about one difference, if it is still as the run left it. */
export const undoItem = (call: May<'drift.resolve'>, run: Run, of: HoldingRef): Promise<void> =>
  transact(call.db, async (tx) => {
    const item = await lockItem(tx, call.tenant.id, run.id, refOf(of), 'done')
    if (!item) return
    const why = await undo(tx, call, run, item)
    await putItem(tx, call.tenant.id, run.id, { ...item, state: why === null ? 'undone' : 'left', error: why ?? '' })
  })

/** Null if it was undone; otherwise why not. */
async function undo(tx: Tx, call: May<'drift.resolve'>, { remedy }: Run, item: Item): Promise<string | null> {
  if (opensTask(remedy)) {
    const isClosed = await cancelTask(tx, call, item.taskId, 'The remedy that opened this task was undone.')
    if (isClosed) return null
    return remedy === 'revoke'
      ? 'The task has ended. If the access was revoked, request it again.'
      : 'The task has ended. If the access was granted, revoke it.'
  }
  await keepApp(tx, call, item.appId)
  await keepEntitlement(tx, call, item.appId, item.entitlementId)
  return remedy === 'keep' ? endKept(tx, call, item) : recordAgain(tx, call, item)
}

/** Ends the grant that was recorded for access that was kept. Nothing changes in the app. */
async function endKept(tx: Tx, call: May<'drift.resolve'>, item: Item): Promise<string | null> {
  if (!(await isOpenGrant(tx, call.tenant.id, item))) return 'It was removed or changed in the meantime.'
  const by = call.actor.userId
  const ref = refOf(item)
  await endGrants(tx, call, [ref], { by, at: call.now(), source: 'manual', isTold: true })
  const touched = item.grantIds.map((id) => ({ type: 'grant', id, data: ref }))
  await recordChange(tx, call, 'delete', 'Undid the recording of access that was found', touched)
  return null
}

/** Records again what was removed. It is missing in the app as before: nothing is provisioned. */
async function recordAgain(tx: Tx, call: May<'drift.resolve'>, item: Item): Promise<string | null> {
  const at = call.now()
  const ended = await listEnded(tx, call.tenant.id, item, at)
  if (ended.length === 0) return 'It was granted again in the meantime, or it has expired.'
  const rows = ended.map(({ expiresAt, ...grant }) => ({ ...grant, id: call.newId(), ...(expiresAt && { expiresAt }) }))
  await insertGrants(tx, call, rows, at, { isTold: true })
  const touched = rows.map(({ id, source }) => ({ type: 'grant', id, data: { source, ...refOf(item) } }))
  await recordChange(tx, call, 'create', 'Undid the removal of a grant', touched)
  return null
}

import type { May } from '#authority/proof.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { notUndoable, refuseOutdated } from '#rooms/foundation/plans/index.ts'
import { causeOf, change, record } from '#rooms/foundation/systemlog/index.ts'
import { authoredBy } from '#rooms/identity/tokens/index.ts'
import type { HoldingRef } from '#rooms/records/grants/index.ts'
import type { Remedy } from '../drift.ts'
import { type Chosen, planIn, planRemedy, refuseTooMuch } from '../plan.ts'
import { settleItem } from './items.ts'
import { driftRun, runOf } from './names.ts'
import type { Item, Run, RunState } from './run.ts'
import { beginUndo, findRun, insertRun, insertWaiting, lockRun } from './store.ts'

const authorOf = ({ actor, sourceAddress, requestId }: Call) => ({
  ...authoredBy(actor),
  sourceAddress,
  requestId,
})

const newRun = (call: Call, remedy: Remedy, state: RunState): Run => ({
  id: call.newId(),
  remedy,
  state,
  error: '',
  askedBy: call.actor.userId,
  ...authorOf(call),
  createdAt: call.now(),
  endedAt: state === 'done' ? call.now() : null,
  undoneBy: '',
  undoneAt: null,
})

/** Applies a remedy to a few differences, each separately: one that is refused does not affect the others. */
export async function resolveDrift(
  call: May<'drift.resolve'>,
  remedy: Remedy,
  refs: readonly HoldingRef[],
  { isConfirmed }: { isConfirmed: boolean },
): Promise<{ runId: string; items: readonly Item[] }> {
  refuseTooMuch(await planRemedy(call, { remedy, refs }), isConfirmed)
  const run = newRun(call, remedy, 'done')
  await transact(call.db, (tx) => insertRun(tx, call.tenant.id, run))
  const items: Item[] = []
  for (const ref of refs) items.push(await settleItem(call, run, ref))
  return { runId: run.id, items }
}

type Applied = { fingerprint: string; isConfirmed: boolean }

/** Applies a remedy to everything that a plan showed, in batches, by a job. */
export const startRun = (
  call: May<'drift.resolve'>,
  chosen: Chosen,
  { fingerprint, isConfirmed }: Applied,
): Promise<Run> =>
  transact(call.db, async (tx) => {
    const plan = await planIn(tx, call, chosen)
    refuseOutdated(plan.fingerprint, fingerprint)
    refuseTooMuch(plan, isConfirmed)
    const run = newRun(call, plan.remedy, 'running')
    await insertRun(tx, call.tenant.id, run)
    const refs = plan.items.map(({ drift }) => drift)
    await insertWaiting(tx, call.tenant.id, run.id, refs)
    const cause = causeOf(call)
    const touched = [{ type: 'drift_run', id: run.id, data: { remedy: run.remedy, count: refs.length } }]
    const message = `Started to apply "${run.remedy}" to ${refs.length} differences between apps and the grants`
    await record(tx, call, cause, change(cause, 'create', message, touched))
    await enqueue(tx, call, cause, driftRun, runOf(run.id))
    return run
  })

const runNotFound = (id: string): Refusal =>
  new Refusal('DRIFT_RUN_NOT_FOUND', `There is no run ${id}.`, { metadata: { id } })

export async function getRun(call: Call, id: string): Promise<Run> {
  const run = await findRun(call.db, call.tenant.id, id)
  if (!run) throw runNotFound(id)
  return run
}

/** Undoes a run, as far as that is still possible, by a job. */
export const undoRun = (call: May<'drift.resolve'>, id: string): Promise<Run> =>
  transact(call.db, async (tx) => {
    const run = await lockRun(tx, call.tenant.id, id)
    if (!run) throw runNotFound(id)
    if (run.state !== 'done' && run.state !== 'stopped')
      throw notUndoable(`A run can be undone when it has ended. This one is ${run.state}.`)
    const undone: Run = {
      ...run,
      state: 'undoing',
      error: '',
      ...authorOf(call),
      undoneBy: call.actor.userId,
      undoneAt: call.now(),
    }
    await beginUndo(tx, call.tenant.id, undone)
    const cause = causeOf(call)
    const touched = [{ type: 'drift_run', id, data: { remedy: run.remedy } }]
    await record(tx, call, cause, change(cause, 'update', `Started to undo "${run.remedy}" of differences`, touched))
    await enqueue(tx, call, cause, driftRun, runOf(id))
    return undone
  })

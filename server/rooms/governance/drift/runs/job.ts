import { may } from '#authority/may.ts'
import { asService, type May } from '#authority/proof.ts'
import { type JobCall, jobKind } from '#kernel/jobs.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { causeOf, change, record, serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { actorLater } from '#rooms/identity/tokens/index.ts'
import { settleWaiting, undoItem } from './items.ts'
import { driftRun, runOf } from './names.ts'
import type { Run } from './run.ts'
import { countItems, deleteOld, endRun, findRun, listItemsIn } from './store.ts'

const batchSize = 50
/** After this time another job continues, so that others of the tenant get their turn. */
const forMs = 30_000
const keptDays = 90
const operation = 'bailiwick.v1.DriftRuns.Create'

type RunCall = JobCall<{ runId: string }>

/** Each item is saved with what is done about it: a job that is killed, or runs twice, does nothing twice. */
export const carryOutRuns = jobKind(driftRun, {
  title: 'Drift remedy',
  retry: { firstMs: 1_000, maxMs: 60_000, attemptsMax: 20 },
  limitPerTenant: 1,
  afterUnknown: 'retry',
  attemptMs: 300_000,
  async handle(call) {
    const run = await findRun(call.db, call.tenant.id, call.job.payload.runId)
    if (run?.state === 'running' || run?.state === 'undoing') await goOn(call, run)
    else await transact(call.db, (tx) => call.finishIn(tx))
  },
})

async function goOn(call: RunCall, run: Run): Promise<void> {
  const isUndo = run.state === 'undoing'
  const until = Date.now() + forMs
  while (Date.now() < until && !call.signal.aborted) {
    const as = await authorCall(call, run)
    if (as instanceof Refusal) return end(call, run, 'stopped', as.message)
    const items = await listItemsIn(call.db, call.tenant.id, {
      runId: run.id,
      state: isUndo ? 'done' : 'waiting',
      limit: batchSize,
    })
    if (items.length === 0) return end(call, run, isUndo ? 'undone' : 'done', '', as)
    for (const item of items) {
      if (call.signal.aborted) break
      await (isUndo ? undoItem : settleWaiting)(as, run, item)
    }
  }
  await transact(call.db, async (tx) => {
    await call.finishIn(tx)
    await enqueue(tx, call, serviceCause(call.tenant, operation, run.requestId), driftRun, runOf(run.id))
  })
}

/** A call as the user who requested the run, with their present permissions. */
async function authorCall(doing: RunCall, run: Run): Promise<May<'drift.resolve'> | Refusal> {
  const authorId = run.state === 'undoing' ? run.undoneBy : run.askedBy
  try {
    const actor = await actorLater(doing, { ...run, authorId })
    if (!may(actor, 'grants.give'))
      return new Refusal('PERMISSION_DENIED', 'Its author no longer has the permission grants.write.')
    const { requestId, sourceAddress } = run
    const asked = { operation, requestId, sourceAddress, headers: {}, origin: '', sendHeader: () => {}, shows: {} }
    return asService(
      { ...doing, ...asked, actor },
      'drift.resolve',
      'its author was admitted by this rule, and still may',
    )
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return error
    throw error
  }
}

async function end(
  call: RunCall,
  run: Run,
  state: 'done' | 'stopped' | 'undone',
  error: string,
  as: Call | null = null,
): Promise<void> {
  await transact(call.db, async (tx) => {
    const at = call.now()
    await endRun(tx, call.tenant.id, { id: run.id, state, error, at })
    const counts = (await countItems(tx, call.tenant.id, [run.id])).get(run.id)
    const cause = as ? causeOf(as) : serviceCause(call.tenant, operation, run.requestId)
    const touched = [{ type: 'drift_run', id: run.id, data: { remedy: run.remedy, state, error, ...counts } }]
    const message = `Remedy "${run.remedy}" of differences between apps and the grants: ${state}`
    await record(tx, call, cause, change(cause, 'update', message, touched))
    await deleteOld(tx, call.tenant.id, new Date(at.getTime() - keptDays * 86_400_000))
    await call.finishIn(tx)
  })
}

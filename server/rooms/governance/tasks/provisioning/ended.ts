import { type JobCall, jobKind } from '#kernel/jobs.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { type Outcome, provisioningEnded, takeOutcome } from '#rooms/records/connectors/index.ts'
import { carry } from '../carry.ts'
import type { TaskEvent } from '../machine/event.ts'
import { currentOf, replay } from '../machine/fold.ts'
import type { Task } from '../machine/record.ts'
import type { Instance, TaskState } from '../machine/task.ts'
import { listTaskEvents, lockTask } from '../store.ts'
import { carriersOf } from './manual.ts'
import { isLastProvision } from './provisioner.ts'
import { giveOrTake } from './records.ts'
import { deleteWait, listWaits, type Wait } from './store.ts'

type Ended = JobCall<{ connectorId: string; taskId: string; rootId: string }>

/** Goes on with requests whose access a connector has given or removed, or could not. */
export const goOnProvisioned = jobKind(provisioningEnded, {
  title: 'Continue requests that a connector has provisioned',
  retry: { firstMs: 1_000, maxMs: 300_000, attemptsMax: 50 },
  limitPerTenant: 4,
  afterUnknown: 'retry',
  attemptMs: 60_000,
  handle: (call) =>
    transact(call.db, async (tx) => {
      const { rootId } = call.job.payload
      const waits = await listWaits(tx, call.tenant.id, { rootId })
      // Tasks before the connector, as everywhere.
      const tasks: [Wait, Task | null][] = []
      for (const wait of waits) tasks.push([wait, await lockTask(tx, call.tenant.id, wait.taskId)])
      const outcome = await takeOutcome(tx, call.tenant.id, call.job.payload)
      for (const [wait, task] of tasks) {
        await deleteWait(tx, call.tenant.id, wait)
        if (task?.isOpen && outcome) await goOn(tx, call, task, wait, outcome)
      }
      await call.finishIn(tx)
    }),
})

async function goOn(tx: Tx, call: Ended, task: Task, wait: Wait, outcome: Outcome): Promise<void> {
  const state = replay(await listTaskEvents(tx, call.tenant.id, task.id))
  const now = currentOf(state)
  const isWaiting = now?.step.kind === 'provision' && now.generation === wait.generation && now.place === wait.place
  // Somebody else has gone on with it, or people carry it out by now.
  if (!now || !isWaiting || now.assignees.length > 0) return
  const events = await eventsOf(tx, call, task, state, now, outcome)
  if (events.length === 0) return
  const verb = outcome.state === 'done' ? 'The connector carried out' : 'The connector could not carry out'
  await carry(tx, call, serviceCause(call.tenant, provisioningEnded.kind), task, state, { events, by: '', verb })
}

async function eventsOf(
  tx: Tx,
  call: Ended,
  task: Task,
  state: TaskState,
  { id: stepId, place }: Instance,
  { state: is, error, accountId, isReplaced, connectorName }: Outcome,
): Promise<TaskEvent[]> {
  if (is === 'done') {
    // Of a revocation from several accounts: the others are waited for.
    if ((await listWaits(tx, call.tenant.id, { taskId: task.id })).length > 0) return []
    const isLast = isLastProvision(state, place)
    const about = task.kind === 'grant' ? { ...task, accountId } : task
    if (isLast) await giveOrTake({ tx, call, task: about, state, isLast, isCarriedOut: true })
    return [{ is: 'ended', stepId, outcome: 'provisioned', comment: `Provisioned by the connector ${connectorName}.` }]
  }
  for (const other of await listWaits(tx, call.tenant.id, { taskId: task.id }))
    await deleteWait(tx, call.tenant.id, other)
  const comment = `The connector ${connectorName} did not provision it: ${error}`
  if (isReplaced)
    return [
      { is: 'ended', stepId, outcome: 'not done', comment },
      { is: 'closed', outcome: 'cancelled', comment },
    ]
  const failed: TaskEvent = { is: 'ended', stepId, outcome: 'failed', comment }
  const instead = await carriersOf({ tx, call, task, state }, null)
  return instead.length === 0
    ? [failed, { is: 'closed', outcome: 'failed', comment }]
    : [failed, { is: 'begun', stepId: call.newId(), assignees: instead, expiresAt: null }]
}

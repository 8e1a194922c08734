import { jobName } from '#kernel/jobs.ts'
import type { Tx } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { type Cause, change, record } from '#rooms/foundation/systemlog/index.ts'
import { type Doing, finderFor } from './finder.ts'
import type { TaskEvent } from './machine/event.ts'
import { currentOf, replay } from './machine/fold.ts'
import { type Ran, run } from './machine/run.ts'
import type { Task } from './record.ts'
import { listTaskEvents, lockEndsOf } from './store.ts'
import type { TaskState } from './task.ts'

/** Wakes a task whose step is due: it is escalated, or no longer waited for. */
export const taskDue = jobName<{ taskId: string; stepId: string }>('tasks.due')

export type Happening = {
  events: readonly TaskEvent[]
  /** Empty for the service itself. */
  by: string
  /** For the system log: `Approved`. */
  verb: string
  activity?: 'create' | 'update'
}

/** Writes what happens to a task, what follows from it, the timer of its step and its event of the system log. */
export async function carry(
  tx: Tx,
  doing: Doing,
  cause: Cause,
  task: Task,
  before: TaskState,
  { events, by, verb, activity = 'update' }: Happening,
): Promise<Ran> {
  const ran = await run(tx, doing, task, before, { events, by }, finderFor(doing))
  const now = currentOf(ran.state)
  if (now?.expiresAt && now.id !== task.stepId)
    await enqueue(tx, doing, cause, taskDue, {
      payload: { taskId: task.id, stepId: now.id },
      subject: { type: 'task', id: task.id },
      key: now.id,
      runAt: now.expiresAt,
    })
  const { kind, number, appId, entitlementId, subjectUserId } = task
  const { isOpen, outcome, stepId } = ran.task
  const data = {
    ...{ kind, number, appId, entitlementId, subjectUserId, policyId: ran.task.policyId, isOpen, outcome, stepId },
    events: ran.events.map((event) => ({
      id: event.id,
      is: event.is,
      ...('outcome' in event && { outcome: event.outcome }),
    })),
  }
  const touched = [{ type: 'task', id: task.id, name: task.displayName, data }]
  await record(tx, doing, cause, change(cause, activity, `${verb} task ${number}: ${task.displayName}`, touched))
  if (kind === 'grant' && outcome === 'done') await cancelEnds(tx, doing, cause, ran.task)
  return ran
}

/** Access that was given again does not end because its time was over before. */
async function cancelEnds(tx: Tx, doing: Doing, cause: Cause, given: Task): Promise<void> {
  for (const task of await lockEndsOf(tx, doing.tenant.id, given)) {
    const comment = `Task ${given.number} gave this access again.`
    const state = replay(await listTaskEvents(tx, doing.tenant.id, task.id))
    const events: TaskEvent[] = [{ is: 'closed', outcome: 'cancelled', comment }]
    await carry(tx, doing, cause, task, state, { events, by: '', verb: 'Closed' })
  }
}

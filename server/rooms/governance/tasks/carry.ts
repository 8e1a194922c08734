import { jobName } from '#kernel/jobs.ts'
import type { Tx } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { type Cause, change, record } from '#rooms/foundation/systemlog/index.ts'
import type { Terms } from '#rooms/governance/terms/index.ts'
import type { Doing } from './doing.ts'
import type { Looking } from './facts/approvers.ts'
import { finderFor } from './facts/find.ts'
import { isAsked } from './machine/asked.ts'
import type { TaskEvent } from './machine/event.ts'
import { currentOf, replay } from './machine/fold.ts'
import { isAgain, type Task } from './machine/record.ts'
import { type Finder, type Ran, unfold, write } from './machine/run.ts'
import type { Instance, TaskState } from './machine/task.ts'
import { offboardingOf, offboardTask } from './offboarding/begin.ts'
import { leaveProvisioning } from './provisioning/leave.ts'
import type { Holdings } from './provisioning/store.ts'
import { listTaskEvents, lockEndsOf } from './store.ts'
import { leaveWebhook } from './webhooks/leave.ts'
import { asking, askWebhook } from './webhooks/names.ts'

/** Wakes a task whose step is due: it is escalated, no longer waited for, or its condition is asked again. */
export const taskDue = jobName<{ taskId: string; stepId: string }>('tasks.due')

/** How often a condition that is waited for is asked. */
const askEveryMs = 300_000

/** When a step is to be looked at by the clock; null where it waits for somebody. */
export function wakingAt(now: Instance | null, at: Date): Date | null {
  if (!now?.expiresAt) return null
  const isAskedAgain = now.step.kind === 'wait' && now.step.until.by === 'condition'
  return isAskedAgain ? new Date(Math.min(now.expiresAt.getTime(), at.getTime() + askEveryMs)) : now.expiresAt
}

export const wake = (taskId: string, stepId: string, runAt: Date) => ({
  payload: { taskId, stepId },
  subject: { type: 'task', id: taskId },
  key: stepId,
  runAt,
})

export type Happening = {
  events: readonly TaskEvent[]
  /** Empty for the service itself. */
  by: string
  /** For the system log: `Approved`. */
  verb: string
  activity?: 'create' | 'update'
  /** What applies, where that was looked up in this transaction and the task is still about something. */
  terms?: Terms | null
  /** What the person holds, where that was looked up along with something else. */
  holdings?: Holdings | null
  /** Whom the task is about, the same way. */
  subject?: Looking['subject']
  /** Of a task that is not written yet. */
  birth?: Birth | null
}

/** `isFree` settles when it is known that no other task stands in its way; `insert` writes its row before what follows needs it. */
export type Birth = { isFree: Promise<void>; insert(): Promise<void> }

/** Writes what happens to a task, what follows from it, the timer of its step and its event of the system log. */
export async function carry(
  tx: Tx,
  doing: Doing,
  cause: Cause,
  task: Task,
  before: TaskState,
  { events, by, verb, activity = 'update', terms = null, holdings = null, subject = null, birth = null }: Happening,
): Promise<Ran> {
  const sent: Promise<void>[] = []
  const later = (done: Promise<void>): void => {
    done.catch(() => {})
    sent.push(done)
  }
  const finder = finderFor(doing, { terms, holdings, subject, later })
  let isNew = birth !== null
  // Until the row is there nothing is done but to look who decides.
  const find: Finder = async (...asked) => {
    if (birth && isNew && asked[3].for !== 'approval') {
      await birth.isFree
      await birth.insert()
      isNew = false
    }
    return finder(...asked)
  }
  const ran = await unfold(tx, doing, task, before, { events, by }, find)
  await birth?.isFree
  await leaveProvisioning(tx, doing, task, before, ran.state)
  await leaveWebhook(tx, doing, before, ran.state)
  const now = currentOf(ran.state)
  const runAt = wakingAt(now, doing.now())
  const { kind, number, appId, entitlementId, subjectUserId } = task
  const { isOpen, outcome, stepId } = ran.task
  const data = {
    kind,
    number,
    appId,
    entitlementId,
    subjectUserId,
    policyId: ran.task.policyId,
    isOpen,
    outcome,
    stepId,
    events: ran.events.map((event) => ({
      id: event.id,
      is: event.is,
      ...('outcome' in event && { outcome: event.outcome }),
    })),
  }
  const touched = [{ type: 'task', id: task.id, name: task.displayName, data }]
  const isGiven = kind === 'grant' && outcome === 'done' && !isAgain(task)
  // One round trip for all of it: they are carried out in this order.
  const written = write(tx, doing.tenant.id, task, before, ran, { isNew })
  const [, , ends] = await Promise.all([
    written,
    record(tx, doing, cause, change(cause, activity, `${verb} task ${number}: ${task.displayName}`, touched)),
    isGiven ? lockEndsOf(tx, doing.tenant.id, ran.task) : [],
    now && runAt && now.id !== task.stepId && enqueue(tx, doing, cause, taskDue, wake(task.id, now.id, runAt)),
    now && now.id !== task.stepId && isAsked(now) && enqueue(tx, doing, cause, askWebhook, asking(task.id, now.id)),
    // Whoever opened it waits for it.
    task.parentId !== '' && !isOpen && enqueue(tx, doing, cause, offboardTask, offboardingOf(task.parentId)),
    ...sent,
  ]).catch(async (error: unknown) => {
    // The statements after one that failed fail too, and may be heard first: what went wrong is what the first one says.
    await written
    throw error
  })
  await cancelEnds(tx, doing, cause, ran.task, ends)
  return ran
}

/** Access that was given again does not end because its time was over before. */
async function cancelEnds(tx: Tx, doing: Doing, cause: Cause, given: Task, ends: readonly Task[]): Promise<void> {
  for (const task of ends) {
    const comment = `Task ${given.number} granted this access again.`
    const state = replay(await listTaskEvents(tx, doing.tenant.id, task.id))
    const events: TaskEvent[] = [{ is: 'closed', outcome: 'cancelled', comment }]
    await carry(tx, doing, cause, task, state, { events, by: '', verb: 'Closed' })
  }
}

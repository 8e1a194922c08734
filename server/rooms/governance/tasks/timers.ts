import { jobKind } from '#kernel/jobs.ts'
import { Refusal } from '#kernel/refusals.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { steadyNow } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import type { ApprovalStep } from '#rooms/governance/policies/index.ts'
import { unroutedTerms } from '#rooms/governance/terms/index.ts'
import { carry, taskDue, wake, wakingAt } from './carry.ts'
import type { Doing } from './doing.ts'
import { findApprovers } from './facts/approvers.ts'
import { decideCondition, factsOf } from './facts/conditions.ts'
import { conditionFails } from './machine/advance.ts'
import type { TaskEvent } from './machine/event.ts'
import { currentOf, replay } from './machine/fold.ts'
import type { Task } from './machine/record.ts'
import type { Assignee, Instance, TaskState } from './machine/task.ts'
import { routeBy, unprovisioned } from './route.ts'
import { listTaskEvents, lockTask } from './store.ts'

/** How soon a step is looked at again whose time is in doubt. */
const doubtedMs = 5_000

/** A step whose time has come. One that is no longer current is left alone: somebody was quicker. */
export const carryOnDueTasks = jobKind(taskDue, {
  title: 'Escalate steps of tasks, and end waits',
  retry: { firstMs: 1_000, maxMs: 300_000, attemptsMax: 50 },
  limitPerTenant: 4,
  afterUnknown: 'retry',
  attemptMs: 60_000,
  handle: (call) =>
    transact(call.db, async (tx) => {
      const { taskId, stepId } = call.job.payload
      const task = await lockTask(tx, call.tenant.id, taskId)
      if (task?.isOpen && task.stepId === stepId) {
        const state = replay(await listTaskEvents(tx, call.tenant.id, taskId))
        const now = currentOf(state)
        const cause = serviceCause(call.tenant, taskDue.kind)
        const isDue = now?.expiresAt && now.expiresAt <= steadyNow(call)
        const events = isDue ? await whenDue(tx, call, task, state, now) : await whenAsked(tx, call, task, state, now)
        const after =
          events.length > 0 ? await carry(tx, call, cause, task, state, { events, by: '', verb: 'Carried on' }) : null
        await call.finishIn(tx)
        // It waits still: it is asked again later. So is one whose time has come only by a jump of the clock.
        const runAt = (after?.task.stepId ?? stepId) === stepId ? wakingAt(now, call.now()) : null
        const soon = new Date(call.now().getTime() + doubtedMs)
        if (runAt && !isDue && runAt <= call.now()) await enqueue(tx, call, cause, taskDue, wake(taskId, stepId, soon))
        else if (runAt && runAt > call.now()) await enqueue(tx, call, cause, taskDue, wake(taskId, stepId, runAt))
        return
      }
      await call.finishIn(tx)
    }),
})

/** A condition that is waited for is asked again. One that fails is told of, and asked again as well: until its time is over. */
export async function whenAsked(
  tx: Tx,
  doing: Doing,
  task: Task,
  state: TaskState,
  now: Instance | null,
): Promise<readonly TaskEvent[]> {
  if (now?.step.kind !== 'wait' || now.step.until.by !== 'condition') return []
  const decided = await decideCondition(tx, doing, doing.tenant.id, now.step.until.condition, factsOf(task, state))
  if ('error' in decided) {
    const why = conditionFails(now.step.name, decided.error)
    return state.stuckWhy === why ? [] : [{ is: 'stuck', why }]
  }
  if (decided.isTrue) return [{ is: 'ended', stepId: now.id, outcome: 'waited', comment: '' }]
  return state.stuckWhy === null ? [] : [{ is: 'resumed' }]
}

/** What happens to a step that is due. */
async function whenDue(
  tx: Tx,
  doing: Doing,
  task: Task,
  state: TaskState,
  now: Instance,
): Promise<readonly TaskEvent[]> {
  const { step, id: stepId } = now
  if (step.kind === 'wait')
    return step.until.by === 'condition'
      ? [
          { is: 'ended', stepId, outcome: 'timed out', comment: step.commentOnTimeout },
          { is: 'closed', outcome: 'timed out', comment: step.commentOnTimeout },
        ]
      : [{ is: 'ended', stepId, outcome: 'waited', comment: '' }]
  if (step.kind !== 'approval' || !step.escalation || now.isEscalated) return []
  const { response, comment } = step.escalation
  const escalated: TaskEvent = { is: 'escalated', stepId, comment }
  if (response.do === 'cancel') return [escalated, { is: 'closed', outcome: 'cancelled', comment }]
  if (response.do === 'skip') return [escalated, { is: 'ended', stepId, outcome: 'skipped', comment }]
  if (response.do === 'reassign')
    return [escalated, await reassigned(tx, doing, task, state, now, step, response.userIds)]
  return [escalated, await replaced(tx, doing, task, state, response.policyId)]
}

async function reassigned(
  tx: Tx,
  doing: Doing,
  task: Task,
  state: TaskState,
  now: Instance,
  step: ApprovalStep,
  userIds: readonly string[],
): Promise<TaskEvent> {
  const to: ApprovalStep = { ...step, approvers: { by: 'users', userIds } }
  const { assignees: found } = await findApprovers(tx, doing, doing.tenant.id, task, state, to)
  const assignees = found.map((each): Assignee => ({ ...each, why: 'escalated' }))
  if (assignees.length === 0) return { is: 'stuck', why: 'Nobody is left to whom this step can be escalated.' }
  return { is: 'reassigned', stepId: now.id, newStepId: doing.newId(), assignees, comment: '', expiresAt: null }
}

async function replaced(tx: Tx, doing: Doing, task: Task, state: TaskState, policyId: string): Promise<TaskEvent> {
  // A change is about no entitlement.
  const terms = task.kind === 'change' ? unprovisioned : await unroutedTerms(tx, doing, task)
  if (!terms) return { is: 'closed', outcome: 'cancelled', comment: 'The entitlement was deleted.' }
  try {
    return await routeBy(tx, doing, task, state, policyId, terms)
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return { is: 'stuck', why: error.message }
    throw error
  }
}

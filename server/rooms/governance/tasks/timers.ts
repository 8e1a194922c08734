import { jobKind } from '#kernel/jobs.ts'
import { Refusal } from '#kernel/refusals.ts'
import { transact } from '#kernel/sql.ts'
import { steadyNow } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import type { ApprovalStep } from '#rooms/governance/policies/index.ts'
import { carry } from './carry.ts'
import { dueAt, taskDue } from './effects/job-names.ts'
import { findApprovers } from './facts/approvers.ts'
import { whenAsked } from './facts/conditions.ts'
import { Facts } from './facts/facts.ts'
import { wakingAt } from './machine/effect.ts'
import type { TaskEvent } from './machine/event.ts'
import { currentOf, replay } from './machine/fold.ts'
import type { Snapshot } from './machine/record.ts'
import type { Assignee, Instance } from './machine/task.ts'
import { routeBy, unprovisioned } from './route.ts'
import { listTaskEvents, lockTask } from './store.ts'

/** How soon a step is checked again if the clock is in doubt. */
const doubtedMs = 5_000

/** Handles a step that is due. One that is no longer current is ignored: someone was quicker. */
export const carryOnDueTasks = jobKind(taskDue, {
  title: 'Task deadline',
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
        const facts = new Facts(tx, call)
        const isDue = now?.expiresAt && now.expiresAt <= steadyNow(call)
        const events = isDue ? await whenDue(facts, { task, state }, now) : await whenAsked(facts, { task, state })
        const after =
          events.length > 0 ? await carry(facts, cause, { task, state }, { events, by: '', verb: 'Carried on' }) : null
        await call.finishIn(tx)
        // If it still waits, it is checked again later. So is a step that is only due because of a jump of the clock.
        const runAt = (after?.task.stepId ?? stepId) === stepId ? wakingAt(now, call.now()) : null
        const soon = new Date(call.now().getTime() + doubtedMs)
        if (runAt && !isDue && runAt <= call.now()) await enqueue(tx, call, cause, taskDue, dueAt(taskId, stepId, soon))
        else if (runAt && runAt > call.now()) await enqueue(tx, call, cause, taskDue, dueAt(taskId, stepId, runAt))
        return
      }
      await call.finishIn(tx)
    }),
})

/** The events of a step that is due. */
async function whenDue(facts: Facts, of: Snapshot, now: Instance): Promise<readonly TaskEvent[]> {
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
  if (response.do === 'replacePolicy') return [escalated, await replaced(facts, of, response.policyId)]
  const approvers = { by: 'users', userIds: response.userIds } as const
  return [escalated, await reassigned(facts, of, now.id, { ...step, approvers })]
}

async function reassigned(facts: Facts, of: Snapshot, stepId: string, to: ApprovalStep): Promise<TaskEvent> {
  const { assignees: found } = await findApprovers(facts, of, to)
  const assignees = found.map((each): Assignee => ({ ...each, why: 'escalated' }))
  if (assignees.length === 0) return { is: 'stuck', why: 'Nobody is left to whom this step can be escalated.' }
  return { is: 'reassigned', stepId, newStepId: facts.world.newId(), assignees, comment: '', expiresAt: null }
}

async function replaced(facts: Facts, { task, state }: Snapshot, policyId: string): Promise<TaskEvent> {
  // A change has no entitlement.
  const terms = task.kind === 'change' ? unprovisioned : await facts.terms(task)
  if (!terms) return { is: 'closed', outcome: 'cancelled', comment: 'The entitlement was deleted.' }
  try {
    return await routeBy(facts, task, { policyId, terms, durationSeconds: state.durationSeconds })
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return { is: 'stuck', why: error.message }
    throw error
  }
}

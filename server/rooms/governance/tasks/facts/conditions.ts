import { evaluateCondition, type PolicyFacts } from '#rooms/governance/policies/index.ts'
import { conditionFails } from '../machine/advance.ts'
import type { TaskEvent } from '../machine/event.ts'
import { currentOf } from '../machine/fold.ts'
import type { Snapshot, Task } from '../machine/record.ts'
import type { TaskState } from '../machine/task.ts'
import type { Facts } from './facts.ts'

/** The source address of the request: part of a task's `source` that clients do not see. */
export const addressField = 'requestedFrom'

/** For changes: since when they need approval. */
export const neededSinceField = 'approvalNeededSince'

/**
 * For a change: before this time, people must have had the property by which its policy selects them, if it does not name
 * them. Those who had it then were known when the policy was chosen; those who acquired it later may have been chosen by the
 * author, in too many ways to distinguish.
 */
export const chosenBefore = ({ kind, source }: Task): Date | null => {
  const since = source[neededSinceField]
  return kind === 'change' && typeof since === 'string' ? new Date(since) : null
}

/**
 * The facts of a task for expressions of policies. `ip` is the source address of the request; empty if nobody requested it.
 */
export const factsOf = (task: Task, { durationSeconds }: Pick<TaskState, 'durationSeconds'>): PolicyFacts => ({
  subjectUserId: task.subjectUserId,
  appId: task.appId,
  entitlementId: task.entitlementId,
  accountId: task.accountId,
  ip: typeof task.source[addressField] === 'string' ? task.source[addressField] : '',
  task: {
    id: task.id,
    number: task.number,
    displayName: task.displayName,
    origin: task.origin,
    durationSeconds,
    requestorUserId: task.createdBy,
    createdAt: task.createdAt,
  },
})

/** Whether a condition of a policy holds for a task, or why that is unknown. */
export async function decideCondition(
  { tx, world, tenantId }: Facts,
  text: string,
  of: PolicyFacts,
): Promise<{ isTrue: boolean } | { error: string }> {
  const result = await evaluateCondition(tx, world, tenantId, text, of)
  return 'error' in result ? result : { isTrue: result.value }
}

/**
 * Evaluates the condition of a wait again. If it fails, the task is marked as stuck, and it is evaluated again until the
 * wait times out.
 */
export async function whenAsked(facts: Facts, { task, state }: Snapshot): Promise<readonly TaskEvent[]> {
  const now = currentOf(state)
  if (now?.step.kind !== 'wait' || now.step.until.by !== 'condition') return []
  const decided = await decideCondition(facts, now.step.until.condition, factsOf(task, state))
  if ('error' in decided) {
    const why = conditionFails(now.step.name, decided.error)
    return state.stuckWhy === why ? [] : [{ is: 'stuck', why }]
  }
  if (decided.isTrue) return [{ is: 'ended', stepId: now.id, outcome: 'waited', comment: '' }]
  return state.stuckWhy === null ? [] : [{ is: 'resumed' }]
}

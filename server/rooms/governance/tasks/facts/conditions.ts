import { evaluateCondition, type PolicyFacts } from '#rooms/governance/policies/index.ts'
import type { Task } from '../machine/record.ts'
import type { TaskState } from '../machine/task.ts'
import type { Facts } from './facts.ts'

/** Whose request it is: of what is kept in a task's source, clients are not shown this. */
export const addressField = 'requestedFrom'

/** Of changes: since when they need approval. */
export const neededSinceField = 'approvalNeededSince'

/**
 * Of a change: since when those whom its policy points at by what they are, and not by name, have to be that. Whoever was that before was
 * when the policy was chosen; who came to be it later may be the author's choice, in more ways than can be told apart.
 */
export const chosenBefore = ({ kind, source }: Task): Date | null => {
  const since = source[neededSinceField]
  return kind === 'change' && typeof since === 'string' ? new Date(since) : null
}

/** What expressions of policies see of a task. `ip` is where the request came from; empty where nobody asked. */
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

/** Whether a condition of a policy holds for a task, or why that cannot be told. */
export async function decideCondition(
  { tx, world, tenantId }: Facts,
  text: string,
  of: PolicyFacts,
): Promise<{ isTrue: boolean } | { error: string }> {
  const result = await evaluateCondition(tx, world, tenantId, text, of)
  return 'error' in result ? result : { isTrue: result.value }
}

import type { WebhookNamed } from '#rooms/events/webhooks/index.ts'
import { findApprovers } from '../facts/approvers.ts'
import { carriersOf } from '../facts/carriers.ts'
import type { Facts } from '../facts/facts.ts'
import type { TaskEvent } from '../machine/event.ts'
import type { Snapshot } from '../machine/record.ts'
import type { Instance } from '../machine/task.ts'

/** `isBadAnswer`: it answered, but the answer cannot be followed. */
type Failure = { webhook: WebhookNamed; error: string; isBadAnswer?: boolean }

/**
 * A webhook that cannot be reached, or whose answer cannot be followed, decides nothing: the step is assigned to people.
 * Nothing is approved because a receiver is down.
 */
export async function failedOver(
  facts: Facts,
  of: Snapshot,
  { id: stepId, step, expiresAt }: Instance,
  { webhook, error, isBadAnswer = false }: Failure,
): Promise<TaskEvent[]> {
  const { newId } = facts.world
  const failed: TaskEvent = { is: 'webhook failed', stepId, webhook, error, ...(isBadAnswer && { isBadAnswer }) }
  if (step.kind === 'approval') {
    const { assignees } = await findApprovers(facts, of, step)
    if (assignees.length === 0) return [failed, { is: 'stuck', why: 'Nobody is left who can decide this step.' }]
    const comment = `The webhook ${webhook.name} did not decide it: ${error}`
    const to = { stepId, newStepId: newId(), assignees, comment, expiresAt }
    return [failed, { is: 'reassigned', ...to, webhook, isError: true }]
  }
  const comment = `The webhook ${webhook.name} did not provision it: ${error}`
  const ended: TaskEvent = { is: 'ended', stepId, outcome: 'failed', comment, webhook }
  const instead = await carriersOf(facts, of, null)
  return instead.length === 0
    ? [failed, ended, { is: 'closed', outcome: 'failed', comment }]
    : [failed, ended, { is: 'begun', stepId: newId(), assignees: instead, expiresAt: null }]
}

import type { Tx } from '#kernel/sql.ts'
import type { WebhookNamed } from '#rooms/events/webhooks/index.ts'
import type { Doing } from '../doing.ts'
import { findApprovers } from '../facts/approvers.ts'
import type { TaskEvent } from '../machine/event.ts'
import type { Task } from '../machine/record.ts'
import type { Instance, TaskState } from '../machine/task.ts'
import { carriersOf } from '../provisioning/manual.ts'

/**
 * A webhook that cannot be asked, or whose answer cannot be followed, decides nothing: the step goes to people. Nothing is approved
 * because a receiver is down.
 */
export async function failedOver(
  tx: Tx,
  doing: Doing,
  task: Task,
  state: TaskState,
  { id: stepId, step, expiresAt }: Instance,
  webhook: WebhookNamed,
  error: string,
  /** It answered, with what cannot be followed. */
  isBadAnswer = false,
): Promise<TaskEvent[]> {
  const failed: TaskEvent = { is: 'webhook failed', stepId, webhook, error, ...(isBadAnswer && { isBadAnswer }) }
  if (step.kind === 'approval') {
    const { assignees } = await findApprovers(tx, doing, doing.tenant.id, task, state, step)
    if (assignees.length === 0) return [failed, { is: 'stuck', why: 'Nobody is left who can decide this step.' }]
    const comment = `The webhook ${webhook.name} did not decide it: ${error}`
    const to = { stepId, newStepId: doing.newId(), assignees, comment, expiresAt }
    return [failed, { is: 'reassigned', ...to, webhook, isError: true }]
  }
  const comment = `The webhook ${webhook.name} did not provision it: ${error}`
  const ended: TaskEvent = { is: 'ended', stepId, outcome: 'failed', comment, webhook }
  const instead = await carriersOf({ tx, call: doing, task, state }, null)
  return instead.length === 0
    ? [failed, ended, { is: 'closed', outcome: 'failed', comment }]
    : [failed, ended, { is: 'begun', stepId: doing.newId(), assignees: instead, expiresAt: null }]
}

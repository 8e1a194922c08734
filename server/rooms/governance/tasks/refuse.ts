import { Refusal } from '#kernel/refusals.ts'
import type { ActionName } from './machine/action.ts'
import type { Task } from './machine/record.ts'

export const taskNotFound = (id: string): Refusal =>
  new Refusal('TASK_NOT_FOUND', `There is no task ${id}.`, { metadata: { taskId: id } })

// cone looks for the words "duplicate ticket found" and reads details[0].id.
export const taskExists = ({ id, number, stepKind }: Task): Refusal =>
  new Refusal(
    'TASK_EXISTS',
    `duplicate ticket found: task ${number} asks for the same access and ` +
      (stepKind === 'form' ? 'waits for the answers to its form' : 'is still open'),
    { metadata: { taskId: id, numericId: String(number) }, existingId: id },
  )

/** In Go's format: cone shows the text between the brackets. */
function goDuration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const rest = `${seconds % 60}s`
  return hours > 0 ? `${hours}h${minutes}m${rest}` : minutes > 0 ? `${minutes}m${rest}` : rest
}

export const durationTooLong = (field: string, maxSeconds: number): Refusal =>
  new Refusal(
    'DURATION_TOO_LONG',
    `grant duration must be less than or equal to max provision time (${goDuration(maxSeconds)})`,
    {
      metadata: { maxSeconds: String(maxSeconds) },
      violations: [{ field, description: `must be at most ${maxSeconds}s` }],
    },
  )

export const notRequestable = (appId: string, id: string): Refusal =>
  new Refusal('NOT_REQUESTABLE', 'This entitlement cannot be requested.', {
    metadata: { appId, appEntitlementId: id },
  })

export const accessNotHeld = (of: { appId: string; entitlementId: string; identityUserId: string }): Refusal =>
  new Refusal('ACCESS_NOT_HELD', 'The person does not have this access, so there is nothing to revoke.', {
    metadata: { appId: of.appId, appEntitlementId: of.entitlementId, identityUserId: of.identityUserId },
  })

export const stepNotCurrent = (task: Task, asked: string): Refusal =>
  new Refusal(
    'TASK_STEP_NOT_CURRENT',
    task.stepId === ''
      ? `The step ${asked} has ended, and ${task.isOpen ? 'no step is in progress' : 'the task is closed'}.`
      : `The step ${asked} is not in progress. The current step is ${task.stepId}.`,
    { metadata: { taskId: task.id, policyStepId: asked, currentPolicyStepId: task.stepId } },
  )

export const taskHistoryFull = ({ id, number }: Task, max: number): Refusal =>
  new Refusal('TASK_HISTORY_FULL', `Task ${number} has ${max} events, which is the maximum. Decide or close it.`, {
    metadata: { taskId: id },
  })

export const actionNotAllowed = (task: Task, name: ActionName, allowed: ReadonlySet<ActionName>): Refusal =>
  new Refusal(
    'TASK_ACTION_NOT_ALLOWED',
    `You cannot ${name.replaceAll('-', ' ')} task ${task.number} now. Allowed: ${[...allowed].join(', ') || 'nothing'}.`,
    { metadata: { taskId: task.id, action: name, allowed: [...allowed].join(',') } },
  )

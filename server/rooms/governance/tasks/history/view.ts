import { flag, int32, type MessageOf, message, nested, oneOf, struct, text, timestamp } from '#kernel/wire.ts'
import { sources } from '#rooms/governance/terms/index.ts'
import type { Happened } from '../machine/event.ts'
import type { Task } from '../record.ts'
import { grantOutcomes, revokeOutcomes, taskStates } from '../shapes.ts'
import { grantOutcomeOf, revokeOutcomeOf } from '../view.ts'

const by = (name: string) =>
  nested(message(`task.v1.${name}`, { userId: text(), comment: text(), policyStepId: text() }))
const plain = (name: string) => nested(message(`task.v1.${name}`, {}))
const told = (name: string) => nested(message(`task.v1.${name}`, { error: text() }))

export const AuditView = message('task.v1.TaskAuditView', {
  id: text(),
  ticketId: text(),
  userId: text(),
  created: timestamp(),
  currentState: oneOf(taskStates),
  eventType: oneOf([
    'TASK_AUDIT_EVENT_TYPE_UNSPECIFIED',
    'TASK_AUDIT_EVENT_TYPE_NEUTRAL',
    'TASK_AUDIT_EVENT_TYPE_ERROR',
  ]),
  source: oneOf(['SOURCE_UNSPECIFIED', 'SOURCE_C1']),
  workflowStep: int32(),
  metadata: struct(),
  taskCreated: plain('TaskAuditNewTask'),
  comment: nested(message('task.v1.TaskAuditComment', { comment: text(), updatedAt: timestamp(), updatedBy: text() })),
  stateChange: nested(message('task.v1.TaskAuditStateChange', { previousState: oneOf(taskStates) })),
  conditionalPolicyExecutionResult: nested(
    message('task.v1.TaskAuditConditionalPolicyExecutionResult', { policyId: text(), reason: text() }),
  ),
  requestDefaultsApplied: nested(
    message('task.v1.TaskAuditRequestDefaultsApplied', {
      appId: text(),
      routingRuleId: text(),
      source: oneOf(sources),
    }),
  ),
  approvalInstanceChange: by('TaskAuditApprovalInstanceChange'),
  approvalReassigned: nested(
    message('task.v1.TaskAuditApprovalReassigned', { newPolicyStepId: text(), comment: text() }),
  ),
  approvedAutomatically: plain('TaskAuditApprovedAutomatically'),
  approvalAutoAcceptedByPolicy: plain('TaskAuditApprovalAutoAcceptedByPolicy'),
  approvalAutoRejectedByPolicy: plain('TaskAuditApprovalAutoRejectedByPolicy'),
  reassignmentFallbackToAdmin: plain('TaskAuditReassignmentFallbackToAdmin'),
  reassignedToDelegate: plain('TaskAuditReassignedToDelegate'),
  grantOutcome: nested(message('task.v1.TaskAuditGrantOutcome', { outcome: oneOf(grantOutcomes) })),
  revokeOutcome: nested(message('task.v1.TaskAuditRevokeOutcome', { outcome: oneOf(revokeOutcomes) })),
  taskRestarted: nested(message('task.v1.TaskAuditRestart', { oldPolicyStepId: text() })),
  hardReset: nested(message('task.v1.TaskAuditHardReset', { oldPolicyStepId: text() })),
  taskEscalated: nested(message('task.v1.TaskAuditEscalateToEmergencyAccess', { emergencyPolicyId: text() })),
  slaEscalation: nested(message('task.v1.TaskAuditSLAEscalation', { comment: text() })),
  stepSkipped: nested(message('task.v1.TaskAuditStepSkipped', { skippedBy: text() })),
  grantDurationUpdated: nested(message('task.v1.TaskAuditGrantDurationUpdated', { duration: text() })),
  provisionError: told('TaskAuditProvisionError'),
  provisionCancelled: nested(message('task.v1.TaskAuditProvisionCancelled', { userId: text() })),
  waitStepWaiting: nested(message('task.v1.TaskAuditWaitStepWaiting', { isForever: flag() })),
  waitStepSuccess: plain('TaskAuditWaitStepSuccess'),
  waitStepTimedOut: plain('TaskAuditWaitStepTimedOut'),
  expressionPolicyStepError: told('TaskAuditExpressionPolicyStepError'),
})
type Audit = Partial<MessageOf<(typeof AuditView)['fields']>>

export type Kept = Happened & { id: string; number: number }

/** An event of a task as clients know them. What has no name of its own on the wire is told as a comment of the service. */
export function auditOnWire(task: Task, event: Kept, before: readonly Happened[]): Audit {
  return {
    id: event.id,
    ticketId: task.id,
    userId: event.by,
    created: event.at,
    currentState: event.is === 'closed' ? 'TASK_STATE_CLOSED' : 'TASK_STATE_OPEN',
    eventType: isError(event) ? 'TASK_AUDIT_EVENT_TYPE_ERROR' : 'TASK_AUDIT_EVENT_TYPE_NEUTRAL',
    source: 'SOURCE_C1',
    workflowStep: event.number,
    ...eventOf(task, event, before),
  }
}

const isError = (event: Happened): boolean =>
  event.is === 'stuck' || (event.is === 'ended' && event.outcome === 'failed')

const said = (event: Happened, comment: string): Audit => ({
  comment: { comment, updatedAt: event.at, updatedBy: event.by },
})

function eventOf(task: Task, event: Happened, before: readonly Happened[]): Audit {
  switch (event.is) {
    case 'created':
      return before.length === 0 ? { taskCreated: {} } : { taskEscalated: { emergencyPolicyId: '' } }
    case 'settings applied': {
      const { appId, routingRuleId, source } = event
      return { requestDefaultsApplied: { appId, routingRuleId, source }, metadata: { why: event.why } }
    }
    case 'routed': {
      const isFirst = !before.some(({ is }) => is === 'routed')
      return isFirst
        ? { conditionalPolicyExecutionResult: { policyId: event.policyId, reason: event.why.join(' ') } }
        : { hardReset: { oldPolicyStepId: '' } }
    }
    case 'begun':
      if (event.assignees.some(({ why }) => why === 'superAdministrator')) return { reassignmentFallbackToAdmin: {} }
      if (event.assignees.some(({ why }) => why === 'delegate')) return { reassignedToDelegate: {} }
      if (event.assignees.length === 0 && event.expiresAt) return { waitStepWaiting: { isForever: false } }
      return { approvalInstanceChange: { userId: '', comment: '', policyStepId: event.stepId } }
    case 'ended':
      return ended(event)
    case 'reassigned':
      return { approvalReassigned: { newPolicyStepId: event.newStepId, comment: event.comment } }
    case 'recalculated':
      return said(event, 'The people who can decide this step changed.')
    case 'escalated':
      return { slaEscalation: { comment: event.comment } }
    case 'duration changed':
      return {
        grantDurationUpdated: { duration: event.durationSeconds === null ? '' : `${event.durationSeconds}s` },
      }
    case 'answers changed':
      return said(event, 'The answers of the request changed.')
    case 'restarted':
      return { taskRestarted: { oldPolicyStepId: '' } }
    case 'retried':
      return said(event, event.comment || 'Provisioning was tried again.')
    case 'commented':
      return said(event, event.comment)
    case 'stuck':
      return { expressionPolicyStepError: { error: event.why } }
    case 'closed':
      if (task.kind === 'change') return said(event, event.comment || changeOutcomes[event.outcome])
      return task.kind === 'grant'
        ? { grantOutcome: { outcome: grantOutcomeOf(event.outcome) } }
        : { revokeOutcome: { outcome: revokeOutcomeOf(event.outcome) } }
  }
}

const changeOutcomes: Record<Extract<Happened, { is: 'closed' }>['outcome'], string> = {
  done: 'The change was carried out.',
  denied: 'The change was denied.',
  failed: 'The change could not be carried out.',
  cancelled: 'The change was cancelled.',
  'timed out': 'The change was not approved in time.',
}

function ended(event: Extract<Happened, { is: 'ended' }>): Audit {
  const { outcome, by: userId, comment, stepId: policyStepId } = event
  if (outcome === 'accepted') return { approvalAutoAcceptedByPolicy: {} }
  if (outcome === 'rejected') return { approvalAutoRejectedByPolicy: {} }
  if (outcome === 'skipped') return { stepSkipped: { skippedBy: userId } }
  if (outcome === 'failed') return { provisionError: { error: comment } }
  if (outcome === 'not done') return { provisionCancelled: { userId } }
  if (outcome === 'waited') return { waitStepSuccess: {} }
  if (outcome === 'timed out') return { waitStepTimedOut: {} }
  return { approvalInstanceChange: { userId, comment, policyStepId } }
}

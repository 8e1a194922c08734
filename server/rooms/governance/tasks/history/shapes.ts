import {
  described,
  duration,
  flag,
  int32,
  list,
  listOf,
  message,
  nested,
  oneOf,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { sources } from '#rooms/governance/terms/index.ts'
import { UserMessage } from '#rooms/identity/users/index.ts'
import { actionTypes, grantOutcomes, revokeOutcomes, taskStates } from '../shapes.ts'
import { ApprovalInstance } from '../step-view.ts'

const of = <const F extends Parameters<typeof message>[1]>(name: string, fields: F) =>
  nested(message(`task.v1.${name}`, fields))
const plain = (name: string) => of(name, {})
const failed = (name: string) => of(name, { error: text() })
const oldStep = (name: string) => of(name, { oldPolicyStepId: text() })
const webhookFields = { webhookId: text(), webhookInstanceId: text(), webhookName: text(), webhookUrl: text() }
const byWebhook = (name: string) => of(name, webhookFields)
const webhookError = (name: string) => of(name, { ...webhookFields, error: text() })
const reassigned = (name: string) =>
  of(name, { newPolicyStepId: text(), newUsers: list(text()), oldPolicyStepId: text(), users: listOf(UserMessage) })

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
  policyStepId: described(text(), 'The step of the event; empty if the event is about the whole task.'),
  note: described(text(), 'The comment, or the reason.'),
  metadata: of('TaskAuditMetadata', { user: nested(UserMessage) }),
  taskCreated: plain('TaskAuditNewTask'),
  taskCreatedFrom: of('TaskAuditTaskCreatedFrom', { originalTaskId: text() }),
  comment: of('TaskAuditComment', { comment: text(), updatedAt: timestamp(), updatedBy: text() }),
  stateChange: of('TaskAuditStateChange', { previousState: oneOf(taskStates) }),
  actionSubmitted: of('TaskAuditActionSubmitted', {
    action: of('TaskAction', {
      id: text(),
      actionType: oneOf(actionTypes),
      policyStepId: text(),
      userId: text(),
      bulkActionId: text(),
      createdAt: timestamp(),
      updatedAt: timestamp(),
      deletedAt: timestamp(),
    }),
  }),
  conditionalPolicyExecutionResult: of('TaskAuditConditionalPolicyExecutionResult', {
    chainDepth: int32(),
    condition: text(),
    conditionMatched: flag(),
    defaultCondition: flag(),
    error: text(),
    outcomePolicyId: text(),
    policyId: text(),
    policyKey: text(),
  }),
  policyChanged: of('TaskAuditPolicyChanged', { newPolicyId: text(), oldPolicyId: text() }),
  policyEvaluationStep: of('TaskAuditPolicyEvaluationStep', { stepComment: text() }),
  approvalInstanceChange: of('TaskAuditApprovalInstanceChange', { instance: nested(ApprovalInstance) }),
  approvalReassigned: reassigned('TaskAuditApprovalReassigned'),
  approvedAutomatically: plain('TaskAuditApprovedAutomatically'),
  approvalAutoAcceptedByPolicy: plain('TaskAuditApprovalAutoAcceptedByPolicy'),
  approvalAutoRejectedByPolicy: plain('TaskAuditApprovalAutoRejectedByPolicy'),
  reassignmentFallbackToAdmin: of('TaskAuditReassignmentFallbackToAdmin', {
    adminUserIds: list(text()),
    adminUsers: listOf(UserMessage),
  }),
  reassignedToDelegate: of('TaskAuditReassignedToDelegate', {
    delegatedAssigneeUser: nested(UserMessage),
    delegatedAssigneeUserId: text(),
    originalAssigneeUser: nested(UserMessage),
    originalAssigneeUserId: text(),
  }),
  requestDefaultsApplied: of('TaskAuditRequestDefaultsApplied', {
    appId: text(),
    routingRuleId: text(),
    source: oneOf(sources),
  }),
  grantOutcome: of('TaskAuditGrantOutcome', { outcome: oneOf(grantOutcomes) }),
  revokeOutcome: of('TaskAuditRevokeOutcome', { outcome: oneOf(revokeOutcomes) }),
  taskRestarted: oldStep('TaskAuditRestart'),
  hardReset: oldStep('TaskAuditHardReset'),
  taskEscalated: of('TaskAuditEscalateToEmergencyAccess', { oldPolicyId: text(), oldPolicyStepId: text() }),
  slaEscalation: of('TaskAuditSLAEscalation', { message: text() }),
  stepSkipped: of('TaskAuditStepSkipped', { skippedBy: text() }),
  grantDurationUpdated: of('TaskAuditGrantDurationUpdated', { duration: duration() }),
  formInstanceChange: of('TaskAuditFormInstanceChange', { isValid: flag() }),
  provisionReassigned: reassigned('TaskAuditProvisionReassigned'),
  provisionError: failed('TaskAuditProvisionError'),
  provisionCancelled: of('TaskAuditProvisionCancelled', { cancelReason: text() }),
  waitStepWaiting: of('TaskAuditWaitStepWaiting', { condition: text(), stepId: text() }),
  waitStepUntilTime: of('TaskAuditWaitStepUntilTime', { stepId: text(), untilTime: timestamp() }),
  waitStepSuccess: of('TaskAuditWaitStepSuccess', { condition: text(), stepId: text(), succeededAt: timestamp() }),
  waitStepTimedOut: of('TaskAuditWaitStepTimedOut', { condition: text(), stepId: text(), timedOutAt: timestamp() }),
  expressionPolicyStepError: failed('TaskAuditExpressionPolicyStepError'),
  webhookApprovalTriggered: byWebhook('TaskAuditWebhookApprovalTriggered'),
  webhookApprovalAttempt: byWebhook('TaskAuditWebhookApprovalAttempt'),
  webhookApprovalSuccess: byWebhook('TaskAuditWebhookApprovalSuccess'),
  webhookApprovalBadResponse: webhookError('TaskAuditWebhookApprovalBadResponse'),
  webhookApprovalFatalError: webhookError('TaskAuditWebhookApprovalFatalError'),
  webhookTriggered: byWebhook('TaskAuditWebhookTriggered'),
  webhookAttempt: byWebhook('TaskAuditWebhookAttempt'),
  webhookSuccess: byWebhook('TaskAuditWebhookSuccess'),
})

import { ObjectPermissions } from '#kernel/expand.ts'
import {
  described,
  duration,
  flag,
  int32,
  int64,
  leftOut,
  list,
  listOf,
  message,
  nested,
  oneOf,
  struct,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { ApprovalMessage, PolicyMessage, PolicyStepMessage } from '#rooms/governance/policies/index.ts'

export const taskStates = ['TASK_STATE_UNSPECIFIED', 'TASK_STATE_OPEN', 'TASK_STATE_CLOSED'] as const
const outcomesOf = <const P extends string, const D extends string>(prefix: P, done: D) =>
  [
    `${prefix}_OUTCOME_UNSPECIFIED`,
    `${prefix}_OUTCOME_${done}`,
    `${prefix}_OUTCOME_DENIED`,
    `${prefix}_OUTCOME_ERROR`,
    `${prefix}_OUTCOME_CANCELLED`,
    `${prefix}_OUTCOME_WAIT_TIMED_OUT`,
  ] as const
export const grantOutcomes = outcomesOf('GRANT', 'GRANTED')
export const revokeOutcomes = outcomesOf('REVOKE', 'REVOKED')

export const actionTypes = [
  'TASK_ACTION_TYPE_UNSPECIFIED',
  'TASK_ACTION_TYPE_CLOSE',
  'TASK_ACTION_TYPE_APPROVE',
  'TASK_ACTION_TYPE_DENY',
  'TASK_ACTION_TYPE_COMMENT',
  'TASK_ACTION_TYPE_REASSIGN',
  'TASK_ACTION_TYPE_RESTART',
  'TASK_ACTION_TYPE_PROVISION_COMPLETE',
  'TASK_ACTION_TYPE_PROVISION_CANCELLED',
  'TASK_ACTION_TYPE_PROVISION_ERRORED',
  'TASK_ACTION_TYPE_HARD_RESET',
  'TASK_ACTION_TYPE_ESCALATE_TO_EMERGENCY_ACCESS',
  'TASK_ACTION_TYPE_PROCESS_NOW',
  'TASK_ACTION_TYPE_SKIP_STEP',
  'TASK_ACTION_TYPE_UPDATE_REQUEST_DATA',
  'TASK_ACTION_TYPE_UPDATE_GRANT_DURATION',
  'TASK_ACTION_TYPE_RETRY_PROVISIONING',
] as const

const EntitlementRef = message('policy.v1.AppEntitlementReference', { appId: text(), appEntitlementId: text() })
const Approved = message('policy.v1.ApprovedAction', {
  approvedAt: timestamp(),
  entitlements: listOf(EntitlementRef),
  stepUpTransactionId: text(),
  userId: text(),
})
const Denied = message('policy.v1.DeniedAction', { deniedAt: timestamp(), userId: text() })
const Reassigned = message('policy.v1.ReassignedAction', {
  newPolicyStepId: text(),
  reassignedAt: timestamp(),
  userId: text(),
})
const Restarted = message('policy.v1.RestartAction', {
  oldPolicyStepId: text(),
  restartedAt: timestamp(),
  userId: text(),
})
const Skipped = message('policy.v1.SkippedAction', { newPolicyStepId: text(), skippedAt: timestamp(), userId: text() })

export const ApprovalInstance = message('policy.v1.ApprovalInstance', {
  approval: nested(ApprovalMessage),
  state: oneOf([
    'APPROVAL_INSTANCE_STATE_UNSPECIFIED',
    'APPROVAL_INSTANCE_STATE_INIT',
    'APPROVAL_INSTANCE_STATE_SENDING_NOTIFICATIONS',
    'APPROVAL_INSTANCE_STATE_WAITING',
    'APPROVAL_INSTANCE_STATE_DONE',
  ]),
  approved: nested(Approved),
  denied: nested(Denied),
  reassigned: nested(Reassigned),
  restarted: nested(Restarted),
  reassignedByError: nested(
    message('policy.v1.ReassignedByErrorAction', {
      errorUserId: text(),
      description: text(),
      errorCode: text(),
      erroredAt: timestamp(),
      newPolicyStepId: text(),
      reassignedAt: timestamp(),
    }),
  ),
  skipped: nested(Skipped),
  assignedAt: leftOut(timestamp()),
  escalationInstance: nested(
    message('policy.v1.EscalationInstance', {
      alreadyEscalated: flag(),
      escalationComment: text(),
      expiresAt: timestamp(),
    }),
  ),
})

const ProvisionInstance = message('policy.v1.ProvisionInstance', {
  provision: PolicyStepMessage.fields.provision,
  state: oneOf([
    'PROVISION_INSTANCE_STATE_UNSPECIFIED',
    'PROVISION_INSTANCE_STATE_INIT',
    'PROVISION_INSTANCE_STATE_WAITING',
    'PROVISION_INSTANCE_STATE_WEBHOOK_WAITING',
    'PROVISION_INSTANCE_STATE_DONE',
  ]),
  completed: nested(
    message('policy.v1.CompletedAction', {
      completedAt: timestamp(),
      entitlements: listOf(EntitlementRef),
      userId: text(),
    }),
  ),
  cancelled: nested(message('policy.v1.CancelledAction', { cancelledAt: timestamp(), cancelledByUserId: text() })),
  errored: nested(
    message('policy.v1.ErroredAction', { description: text(), errorCode: text(), erroredAt: timestamp() }),
  ),
  skipped: nested(Skipped),
  webhookId: text(),
  webhookInstanceId: text(),
})

const WaitInstance = message('policy.v1.WaitInstance', {
  name: text(),
  commentOnFirstWait: text(),
  commentOnTimeout: text(),
  condition: nested(message('policy.v1.WaitConditionInstance', { condition: text() })),
  untilTime: nested(
    message('policy.v1.WaitUntilTimeInstance', { untilTime: timestamp(), durationIfExists: duration() }),
  ),
  timeoutDuration: duration(),
  timeout: timestamp(),
  startedWaitingAt: timestamp(),
  succeeded: nested(message('policy.v1.WaitSucceeded', { succeededAt: timestamp() })),
  timedOut: nested(message('policy.v1.WaitTimedOut', { timedOutAt: timestamp() })),
  skipped: nested(Skipped),
  state: oneOf([
    'WAIT_INSTANCE_STATE_UNSPECIFIED',
    'WAIT_INSTANCE_STATE_WAITING',
    'WAIT_INSTANCE_STATE_COMPLETED',
    'WAIT_INSTANCE_STATE_TIMED_OUT',
  ]),
})

const FormInstance = message('policy.v1.FormInstance', {
  form: struct(),
  data: struct(),
  completed: nested(message('policy.v1.FormCompletedAction', { completedAt: timestamp(), userId: text() })),
  restarted: nested(Restarted),
  reassigned: nested(Reassigned),
  skipped: nested(Skipped),
  state: oneOf(['FORM_INSTANCE_STATE_UNSPECIFIED', 'FORM_INSTANCE_STATE_WAITING', 'FORM_INSTANCE_STATE_DONE']),
})

export const StepInstance = message('policy.v1.PolicyStepInstance', {
  id: text(),
  state: oneOf(['POLICY_STEP_STATE_UNSPECIFIED', 'POLICY_STEP_STATE_ACTIVE', 'POLICY_STEP_STATE_DONE']),
  policyGenerationId: text(),
  approval: nested(ApprovalInstance),
  provision: nested(ProvisionInstance),
  accept: nested(message('policy.v1.AcceptInstance', { acceptMessage: text() })),
  reject: nested(message('policy.v1.RejectInstance', { rejectMessage: text() })),
  wait: nested(WaitInstance),
  form: nested(FormInstance),
})

const PolicyInstance = message('policy.v1.PolicyInstance', {
  policy: nested(PolicyMessage),
  current: nested(StepInstance),
  history: listOf(StepInstance),
  next: listOf(PolicyStepMessage),
})

const ids = { appId: text(), appEntitlementId: text(), appUserId: text(), identityUserId: text() }
export const GrantSource = message('task.v1.TaskGrantSource', {
  conversationId: text(),
  externalUrl: text(),
  integrationId: text(),
  isExtension: flag(),
  requestId: text(),
})
const Resource = message('task.v1.TaskResource', { appId: text(), appResourceTypeId: text(), id: text() })

export const TaskType = message('task.v1.TaskType', {
  offboarding: nested(
    message('task.v1.TaskTypeOffboarding', {
      outcome: oneOf([
        'OFFBOARDING_OUTCOME_UNSPECIFIED',
        'OFFBOARDING_OUTCOME_IN_PROGRESS',
        'OFFBOARDING_OUTCOME_DONE',
        'OFFBOARDING_OUTCOME_ERROR',
        'OFFBOARDING_OUTCOME_CANCELLED',
      ]),
      outcomeTime: timestamp(),
      subjectUserId: text(),
    }),
  ),
  grant: nested(
    message('task.v1.TaskTypeGrant', {
      ...ids,
      grantDuration: duration(),
      outcome: oneOf(grantOutcomes),
      outcomeTime: timestamp(),
      source: nested(GrantSource),
    }),
  ),
  revoke: nested(
    message('task.v1.TaskTypeRevoke', {
      ...ids,
      outcome: oneOf(revokeOutcomes),
      outcomeTime: timestamp(),
      resource: nested(Resource),
      source: nested(
        message('task.v1.TaskRevokeSource', {
          expired: nested(message('task.v1.TaskRevokeSourceExpired', { expiredAt: timestamp() })),
          request: nested(message('task.v1.TaskRevokeSourceRequest', { requestUserId: text() })),
        }),
      ),
    }),
  ),
})

export const TaskMessage = message('task.v1.Task', {
  id: text(),
  numericId: int64(),
  displayName: text(),
  description: text(),
  type: nested(TaskType),
  state: oneOf(taskStates),
  processing: oneOf([
    'TASK_PROCESSING_TYPE_UNSPECIFIED',
    'TASK_PROCESSING_TYPE_PROCESSING',
    'TASK_PROCESSING_TYPE_WAITING',
    'TASK_PROCESSING_TYPE_DONE',
  ]),
  origin: text(),
  userId: text(),
  createdByUserId: text(),
  stepApproverIds: list(text()),
  approverIds: list(text()),
  actions: list(oneOf(actionTypes)),
  policy: nested(PolicyInstance),
  policyGenerationId: text(),
  emergencyAccess: flag(),
  form: struct(),
  data: struct(),
  revision: described(
    text(),
    'Changes with the duration and the answers of a request. Send it with a decision to show what was seen.',
  ),
  commentCount: int32(),
  annotations: list(struct()),
  externalRefs: list(struct()),
  revocationTargets: list(struct()),
  insightIds: list(text()),
  recommendation: oneOf(['INSIGHT_RECOMMENDATION_UNSPECIFIED']),
  analysisId: text(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  deletedAt: timestamp(),
})

export const TaskView = message('task.v1.TaskView', {
  task: nested(TaskMessage),
  objectPermissions: nested(ObjectPermissions),
  accessReviewPath: text(),
  appPath: text(),
  appUserLastUsagePath: text(),
  appUserPath: text(),
  approversPath: text(),
  createdByUserPath: text(),
  entitlementsPath: text(),
  identityUserPath: text(),
  insightsPath: text(),
  principalResourcePath: text(),
  resourceBindingsPath: text(),
  roleResourcePath: text(),
  scopeResourcePath: text(),
  stepApproversPath: text(),
  userPath: text(),
})

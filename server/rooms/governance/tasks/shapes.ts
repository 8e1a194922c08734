import { ObjectPermissions } from '#kernel/expand.ts'
import {
  described,
  duration,
  flag,
  int32,
  int64,
  list,
  listOf,
  message,
  nested,
  oneOf,
  struct,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { PolicyMessage, PolicyStepMessage } from '#rooms/governance/policies/index.ts'
import { StepInstance } from './step-view.ts'

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

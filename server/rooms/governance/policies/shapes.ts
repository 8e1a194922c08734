import {
  described,
  duration,
  flag,
  int32,
  int64,
  list,
  listOf,
  mapOf,
  message,
  nested,
  neverSet,
  oneOf,
  readOnly,
  struct,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { annotationsShape, ProvisionPolicyMessage } from '#rooms/records/apps/index.ts'

const usersMax = 32
const groupsMax = 32
const textLength = 10_000
const expressionsMax = 8
const nameLength = 200
const stepsMax = 32
const rulesMax = 16
const stepListsMax = rulesMax + 1

const userIds = () => list(text(), usersMax)
const EntitlementReference = message('policy.v1.AppEntitlementReference', { appId: text(), appEntitlementId: text() })

const whoMay = { allowSelfApproval: flag(), requireDistinctApprovers: flag() }
const fallback = {
  fallback: flag(),
  fallbackUserIds: userIds(),
  isGroupFallbackEnabled: flag(),
  fallbackGroupIds: listOf(EntitlementReference, groupsMax),
}
const assigned = { assignedUserIds: readOnly(list(text())) }

const EscalationMessage = message('policy.v1.Escalation', {
  expiration: described(int64(), 'Seconds after which the step is escalated.'),
  escalationComment: text({ maxLength: textLength }),
  replacePolicy: nested(message('policy.v1.Escalation.ReplacePolicy', { policyId: text() })),
  reassignToApprovers: nested(message('policy.v1.Escalation.ReassignToApprovers', { approverIds: userIds() })),
  cancelTicket: nested(message('policy.v1.Escalation.CancelTicket', {})),
  skipStep: nested(message('policy.v1.Escalation.SkipStep', {})),
})

export const ApprovalMessage = message('policy.v1.Approval', {
  users: nested(message('policy.v1.UserApproval', { userIds: userIds(), ...whoMay })),
  manager: nested(message('policy.v1.ManagerApproval', { ...whoMay, ...fallback, ...assigned })),
  appOwners: nested(message('policy.v1.AppOwnerApproval', whoMay)),
  group: nested(message('policy.v1.AppGroupApproval', { appId: text(), appGroupId: text(), ...whoMay, ...fallback })),
  self: nested(message('policy.v1.SelfApproval', { ...fallback, ...assigned })),
  entitlementOwners: nested(message('policy.v1.EntitlementOwnerApproval', { ...whoMay, ...fallback })),
  resourceOwners: nested(message('policy.v1.ResourceOwnerApproval', { ...whoMay, ...fallback })),
  expression: nested(
    message('policy.v1.ExpressionApproval', {
      expressions: list(text({ maxLength: textLength }), expressionsMax),
      ...whoMay,
      ...fallback,
      ...assigned,
    }),
  ),
  webhook: nested(message('policy.v1.WebhookApproval', { webhookId: text() })),
  agent: neverSet(struct()),
  allowReassignment: flag(),
  allowedReassignees: userIds(),
  allowDelegation: flag(),
  requireApprovalReason: flag(),
  requireDenialReason: flag(),
  requireReassignmentReason: flag(),
  requiresStepUpProviderId: neverSet(text()),
  assigned: readOnly(flag()),
  escalationEnabled: flag(),
  escalation: nested(EscalationMessage),
})

const WaitMessage = message('policy.v1.Wait', {
  name: text({ maxLength: nameLength }),
  commentOnFirstWait: text({ maxLength: textLength }),
  commentOnTimeout: text({ maxLength: textLength }),
  timeoutDuration: duration(),
  condition: nested(message('policy.v1.WaitCondition', { condition: text({ maxLength: textLength }) })),
  duration: nested(message('policy.v1.WaitDuration', { duration: duration() })),
  untilTime: nested(
    message('policy.v1.WaitUntilTime', { hours: int32(), minutes: int32(), timezone: text({ maxLength: 100 }) }),
  ),
})

export const PolicyStepMessage = message('policy.v1.PolicyStep', {
  approval: nested(ApprovalMessage),
  provision: nested(
    message('policy.v1.Provision', {
      provisionPolicy: nested(ProvisionPolicyMessage),
      provisionTarget: neverSet(struct()),
      assigned: described(flag(), 'Of a policy, as it was sent. Of a task, whether the step is assigned to anyone.'),
    }),
  ),
  accept: nested(message('policy.v1.Accept', { acceptMessage: text({ maxLength: textLength }) })),
  reject: nested(message('policy.v1.Reject', { rejectMessage: text({ maxLength: textLength }) })),
  wait: nested(WaitMessage),
  form: nested(message('policy.v1.Form', { form: struct() })),
  action: neverSet(struct()),
})

const PolicyStepsMessage = message('policy.v1.PolicySteps', { steps: listOf(PolicyStepMessage, stepsMax) })

const RuleMessage = message('policy.v1.Rule', {
  condition: text({ maxLength: textLength }),
  stepKey: described(text({ maxLength: nameLength }), 'The steps to use, by their key in policySteps.'),
  policyId: described(text(), 'A policy of the same type whose steps are used instead.'),
  policyKey: described(text({ maxLength: nameLength }), 'An older name of stepKey.'),
})

const ScopeMessage = message('policy.v1.PolicyScope', {
  appId: text(),
  appEntitlementId: text(),
  slot: oneOf(['POLICY_SCOPE_SLOT_UNSPECIFIED', 'POLICY_SCOPE_SLOT_EMERGENCY']),
})

export const wireTypes = [
  'POLICY_TYPE_UNSPECIFIED',
  'POLICY_TYPE_GRANT',
  'POLICY_TYPE_REVOKE',
  'POLICY_TYPE_CERTIFY',
  'POLICY_TYPE_ACCESS_REQUEST',
  'POLICY_TYPE_PROVISION',
] as const

export const termShapes = {
  displayName: text({ maxLength: nameLength }),
  description: text({ maxLength: textLength }),
  policySteps: described(
    mapOf(PolicyStepsMessage, { entriesMax: stepListsMax, nameLength }),
    'Lists of steps by key. The key grant, revoke or certify contains those that apply if no rule matches.',
  ),
  rules: listOf(RuleMessage, rulesMax),
  postActions: listOf(message('policy.v1.PolicyPostActions', { certifyRemediateImmediately: flag() }), 1),
  baselinePolicyId: text(),
  annotations: annotationsShape,
  reassignTasksToDelegates: neverSet(flag()),
}

export const PolicyMessage = message(
  'policy.v1.Policy',
  {
    id: readOnly(text()),
    policyType: oneOf(wireTypes),
    ...termShapes,
    scope: nested(ScopeMessage),
    systemBuiltin: readOnly(flag()),
    createdAt: readOnly(timestamp()),
    updatedAt: readOnly(timestamp()),
    deletedAt: readOnly(timestamp()),
  },
  'Who decides about access, in which steps.',
)

export { ScopeMessage }

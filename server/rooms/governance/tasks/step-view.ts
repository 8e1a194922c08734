import {
  duration,
  flag,
  leftOut,
  listOf,
  type MessageOf,
  message,
  nested,
  oneOf,
  struct,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { ApprovalMessage, PolicyStepMessage, type StepKind, type Steps } from '#rooms/governance/policies/index.ts'
import { isAsked } from './machine/fold.ts'
import type { Task } from './machine/record.ts'
import type { Instance, StepOutcome } from './machine/task.ts'

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

type InstanceOnWire = MessageOf<(typeof StepInstance)['fields']>
type Part<K extends StepKind> = NonNullable<InstanceOnWire[K]>

/** The view of each kind of past or current step. */
const parts: { readonly [K in StepKind]: (step: Steps[K], instance: Instance, task: Task) => Part<K> } = {
  accept: ({ message: acceptMessage }) => ({ acceptMessage }),
  reject: ({ message: rejectMessage }) => ({ rejectMessage }),
  approval({ escalation }, instance, task) {
    const { end, wire, expiresAt } = instance
    return {
      ...movedOn(instance),
      approval: wire.approval && withAssigned(wire.approval, instance),
      state: end ? 'APPROVAL_INSTANCE_STATE_DONE' : 'APPROVAL_INSTANCE_STATE_WAITING',
      approved:
        end?.outcome === 'approved'
          ? { approvedAt: end.at, entitlements: entitlementsOf(task), stepUpTransactionId: '', userId: end.by }
          : null,
      denied: end?.outcome === 'denied' ? { deniedAt: end.at, userId: end.by } : null,
      reassignedByError: reassignedByError(instance),
      assignedAt: instance.startedAt,
      escalationInstance:
        escalation && expiresAt
          ? { alreadyEscalated: instance.isEscalated, escalationComment: escalation.comment, expiresAt }
          : null,
    }
  },
  provision({ provision }, instance, task) {
    const { end, wire, assignees } = instance
    const waiting = isAsked(instance) ? 'PROVISION_INSTANCE_STATE_WEBHOOK_WAITING' : 'PROVISION_INSTANCE_STATE_WAITING'
    return {
      provision: wire.provision && { ...wire.provision, assigned: assignees.length > 0 },
      state: end ? 'PROVISION_INSTANCE_STATE_DONE' : waiting,
      webhookId: isAsked(instance) || end?.webhook ? (provision?.webhook?.webhookId ?? '') : '',
      webhookInstanceId: end?.webhook?.deliveryId ?? '',
      completed:
        end?.outcome === 'provisioned'
          ? { completedAt: end.at, entitlements: entitlementsOf(task), userId: end.by }
          : null,
      cancelled:
        end?.outcome === 'not done' || end?.outcome === 'cancelled'
          ? { cancelledAt: end.at, cancelledByUserId: end.by }
          : null,
      errored: end?.outcome === 'failed' ? { description: end.comment, errorCode: 'FAILED', erroredAt: end.at } : null,
      skipped: movedOn(instance).skipped,
    }
  },
  form: (_step, instance) => ({
    ...movedOn(instance),
    form: instance.wire.form?.form ?? null,
    data: null,
    completed: instance.end?.outcome === 'answered' ? { completedAt: instance.end.at, userId: instance.end.by } : null,
    state: instance.end ? 'FORM_INSTANCE_STATE_DONE' : 'FORM_INSTANCE_STATE_WAITING',
  }),
  wait({ name, commentOnFirstWait, commentOnTimeout, until, timeoutSeconds: timeoutDuration }, instance) {
    const { end, expiresAt, startedAt: startedWaitingAt } = instance
    const isTimedOut = end?.outcome === 'timed out'
    const ended = isTimedOut ? 'WAIT_INSTANCE_STATE_TIMED_OUT' : 'WAIT_INSTANCE_STATE_COMPLETED'
    const untilTime = { untilTime: expiresAt, durationIfExists: until.by === 'duration' ? until.seconds : null }
    return {
      name,
      commentOnFirstWait,
      commentOnTimeout,
      timeoutDuration,
      startedWaitingAt,
      condition: until.by === 'condition' ? { condition: until.condition } : null,
      untilTime: until.by === 'condition' ? null : untilTime,
      timeout: until.by === 'condition' ? expiresAt : null,
      succeeded: end?.outcome === 'waited' ? { succeededAt: end.at } : null,
      timedOut: isTimedOut ? { timedOutAt: end.at } : null,
      skipped: movedOn(instance).skipped,
      state: end ? ended : 'WAIT_INSTANCE_STATE_WAITING',
    }
  },
}

const partOf = <K extends StepKind>(kind: K, step: Steps[K], instance: Instance, task: Task): Part<K> =>
  parts[kind](step, instance, task)

/** A past or current step. */
export function stepOnWire(instance: Instance, task: Task): InstanceOnWire {
  const { id, generation, step, end } = instance
  return {
    id,
    state: end ? 'POLICY_STEP_STATE_DONE' : 'POLICY_STEP_STATE_ACTIVE',
    policyGenerationId: String(generation),
    approval: null,
    provision: null,
    accept: null,
    reject: null,
    wait: null,
    form: null,
    [step.kind]: partOf(step.kind, step, instance, task),
  }
}

const entitlementsOf = ({ appId, entitlementId }: Task) => [{ appId, appEntitlementId: entitlementId }]

/** How a step ended without its own result. */
function movedOn({ id, end }: Instance) {
  const is = (outcome: StepOutcome) => end?.outcome === outcome
  return {
    skipped: end && is('skipped') ? { newPolicyStepId: end.nextId, skippedAt: end.at, userId: end.by } : null,
    restarted: end && is('restarted') ? { oldPolicyStepId: id, restartedAt: end.at, userId: end.by } : null,
    reassigned:
      end && is('reassigned') && !end.isError
        ? { newPolicyStepId: end.nextId, reassignedAt: end.at, userId: end.by }
        : null,
  }
}

/** Reassigned because a webhook failed. */
const reassignedByError = ({ end }: Instance) =>
  end?.outcome === 'reassigned' && end.isError
    ? {
        newPolicyStepId: end.nextId,
        reassignedAt: end.at,
        erroredAt: end.at,
        description: end.comment,
        errorCode: 'WEBHOOK',
        errorUserId: '',
      }
    : null

type WireApproval = NonNullable<Instance['wire']['approval']>

/** The step as in the policy, with its assignees. */
function withAssigned(approval: WireApproval, { assignees }: Pick<Instance, 'assignees'>): WireApproval {
  const assignedUserIds = assignees.map(({ userId }) => userId)
  const { manager, self, expression } = approval
  return {
    ...approval,
    assigned: assignees.length > 0,
    manager: manager && { ...manager, assignedUserIds },
    self: self && { ...self, assignedUserIds },
    expression: expression && { ...expression, assignedUserIds },
  }
}

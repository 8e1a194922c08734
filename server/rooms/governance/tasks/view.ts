import type { MessageOf } from '#kernel/wire.ts'
import { steadyNow, type World } from '#kernel/world.ts'
import type { ActionName } from './machine/action.ts'
import { isAsked } from './machine/asked.ts'
import { currentOf } from './machine/fold.ts'
import type { Task } from './machine/record.ts'
import type { Instance, TaskOutcome, TaskState } from './machine/task.ts'
import { assigneesOf } from './machine/unfold.ts'
import type { actionTypes, StepInstance, TaskMessage, TaskType } from './shapes.ts'

type StepOnWire = MessageOf<(typeof StepInstance)['fields']>
type TypeOnWire = MessageOf<(typeof TaskType)['fields']>
export type TaskOnWire = MessageOf<(typeof TaskMessage)['fields']>
type ActionType = (typeof actionTypes)[number]

export const actionTypeOf: Readonly<Record<ActionName, ActionType>> = {
  approve: 'TASK_ACTION_TYPE_APPROVE',
  deny: 'TASK_ACTION_TYPE_DENY',
  comment: 'TASK_ACTION_TYPE_COMMENT',
  close: 'TASK_ACTION_TYPE_CLOSE',
  reassign: 'TASK_ACTION_TYPE_REASSIGN',
  restart: 'TASK_ACTION_TYPE_RESTART',
  reset: 'TASK_ACTION_TYPE_HARD_RESET',
  'skip-step': 'TASK_ACTION_TYPE_SKIP_STEP',
  escalate: 'TASK_ACTION_TYPE_ESCALATE_TO_EMERGENCY_ACCESS',
  process: 'TASK_ACTION_TYPE_PROCESS_NOW',
  'update-grant-duration': 'TASK_ACTION_TYPE_UPDATE_GRANT_DURATION',
  'update-request-data': 'TASK_ACTION_TYPE_UPDATE_REQUEST_DATA',
  'retry-provisioning': 'TASK_ACTION_TYPE_RETRY_PROVISIONING',
  'provision-complete': 'TASK_ACTION_TYPE_PROVISION_COMPLETE',
  'provision-errored': 'TASK_ACTION_TYPE_PROVISION_ERRORED',
  'provision-cancelled': 'TASK_ACTION_TYPE_PROVISION_CANCELLED',
}

const outcomeNames = {
  done: { grant: 'GRANTED', revoke: 'REVOKED' },
  denied: { grant: 'DENIED', revoke: 'DENIED' },
  failed: { grant: 'ERROR', revoke: 'ERROR' },
  cancelled: { grant: 'CANCELLED', revoke: 'CANCELLED' },
  'timed out': { grant: 'WAIT_TIMED_OUT', revoke: 'WAIT_TIMED_OUT' },
} as const satisfies Record<TaskOutcome, { grant: string; revoke: string }>

/** How a kind of task calls its outcome on the wire. */
export const grantOutcomeOf = (outcome: TaskOutcome | null) =>
  `GRANT_OUTCOME_${outcome === null ? 'UNSPECIFIED' : outcomeNames[outcome].grant}` as const
export const revokeOutcomeOf = (outcome: TaskOutcome | null) =>
  `REVOKE_OUTCOME_${outcome === null ? 'UNSPECIFIED' : outcomeNames[outcome].revoke}` as const

const offboardingNames = {
  done: 'DONE',
  failed: 'ERROR',
  cancelled: 'CANCELLED',
  denied: 'CANCELLED',
  'timed out': 'CANCELLED',
} as const satisfies Record<TaskOutcome, string>
const offboardingOutcomeOf = (outcome: TaskOutcome | null) =>
  `OFFBOARDING_OUTCOME_${outcome === null ? 'IN_PROGRESS' : offboardingNames[outcome]}` as const

function typeOf(task: Task): TypeOnWire {
  const ids = {
    appId: task.appId,
    appEntitlementId: task.entitlementId,
    appUserId: task.accountId,
    identityUserId: task.subjectUserId,
  }
  const { source, outcomeAt: outcomeTime } = task
  if (task.kind === 'offboarding')
    return {
      grant: null,
      revoke: null,
      offboarding: { outcome: offboardingOutcomeOf(task.outcome), outcomeTime, subjectUserId: task.subjectUserId },
    }
  const words = source as Partial<Record<'conversationId' | 'externalUrl' | 'integrationId' | 'requestId', string>>
  if (task.kind === 'grant')
    return {
      revoke: null,
      offboarding: null,
      grant: {
        ...ids,
        grantDuration: task.durationSeconds,
        outcome: grantOutcomeOf(task.outcome),
        outcomeTime,
        source: {
          conversationId: words.conversationId ?? '',
          externalUrl: words.externalUrl ?? '',
          integrationId: words.integrationId ?? '',
          requestId: words.requestId ?? '',
          isExtension: source['isExtension'] === true,
        },
      },
    }
  // The published API has no type for it: what it is about is in the description, and in GET /api/v1/four_eyes/changes.
  if (task.kind === 'change') return { grant: null, revoke: null, offboarding: null }
  const isExpiry = task.origin === 'TASK_ORIGIN_TIME_REVOKE'
  return {
    grant: null,
    offboarding: null,
    revoke: {
      ...ids,
      outcome: revokeOutcomeOf(task.outcome),
      outcomeTime,
      resource:
        task.resourceId === ''
          ? null
          : { appId: task.appId, appResourceTypeId: task.resourceTypeId, id: task.resourceId },
      source: {
        expired: isExpiry ? { expiredAt: expiredAtOf(task) } : null,
        request: isExpiry ? null : { requestUserId: task.createdBy },
      },
    },
  }
}

const expiredAtOf = ({ source, createdAt }: Task): Date =>
  typeof source['expiredAt'] === 'string' ? new Date(source['expiredAt']) : createdAt

/** A step that was or is taken. */
export function stepOnWire({ wire, ...instance }: Instance, task: Task): StepOnWire {
  const { id, generation, step, end } = instance
  const common = {
    id,
    state: end ? 'POLICY_STEP_STATE_DONE' : 'POLICY_STEP_STATE_ACTIVE',
    policyGenerationId: String(generation),
    approval: null,
    provision: null,
    accept: null,
    reject: null,
    wait: null,
    form: null,
  } as const
  const skipped = end?.outcome === 'skipped' ? { newPolicyStepId: end.nextId, skippedAt: end.at, userId: end.by } : null
  const restarted = end?.outcome === 'restarted' ? { oldPolicyStepId: id, restartedAt: end.at, userId: end.by } : null
  // By a webhook that failed.
  const isByError = end?.outcome === 'reassigned' && end.isError === true
  const byError = isByError
    ? {
        newPolicyStepId: end.nextId,
        reassignedAt: end.at,
        erroredAt: end.at,
        description: end.comment,
        errorCode: 'WEBHOOK',
        errorUserId: '',
      }
    : null
  const reassigned =
    end?.outcome === 'reassigned' && !isByError
      ? { newPolicyStepId: end.nextId, reassignedAt: end.at, userId: end.by }
      : null
  const entitlements = [{ appId: task.appId, appEntitlementId: task.entitlementId }]
  if (step.kind === 'accept') return { ...common, accept: { acceptMessage: step.message } }
  if (step.kind === 'reject') return { ...common, reject: { rejectMessage: step.message } }
  if (step.kind === 'approval')
    return {
      ...common,
      approval: {
        approval: wire.approval && withAssigned(wire.approval, instance),
        state: end ? 'APPROVAL_INSTANCE_STATE_DONE' : 'APPROVAL_INSTANCE_STATE_WAITING',
        approved:
          end?.outcome === 'approved'
            ? { approvedAt: end.at, entitlements, stepUpTransactionId: '', userId: end.by }
            : null,
        denied: end?.outcome === 'denied' ? { deniedAt: end.at, userId: end.by } : null,
        reassigned,
        restarted,
        reassignedByError: byError,
        skipped,
        assignedAt: instance.startedAt,
        escalationInstance:
          step.escalation && instance.expiresAt
            ? {
                alreadyEscalated: instance.isEscalated,
                escalationComment: step.escalation.comment,
                expiresAt: instance.expiresAt,
              }
            : null,
      },
    }
  if (step.kind === 'provision')
    return {
      ...common,
      provision: {
        provision: wire.provision && { ...wire.provision, assigned: instance.assignees.length > 0 },
        state: end
          ? 'PROVISION_INSTANCE_STATE_DONE'
          : isAsked(instance)
            ? 'PROVISION_INSTANCE_STATE_WEBHOOK_WAITING'
            : 'PROVISION_INSTANCE_STATE_WAITING',
        webhookId: isAsked(instance) || end?.webhook ? (step.provision?.webhook?.webhookId ?? '') : '',
        webhookInstanceId: end?.webhook?.deliveryId ?? '',
        completed: end?.outcome === 'provisioned' ? { completedAt: end.at, entitlements, userId: end.by } : null,
        cancelled:
          end?.outcome === 'not done' || end?.outcome === 'cancelled'
            ? { cancelledAt: end.at, cancelledByUserId: end.by }
            : null,
        errored:
          end?.outcome === 'failed' ? { description: end.comment, errorCode: 'FAILED', erroredAt: end.at } : null,
        skipped,
      },
    }
  if (step.kind === 'form')
    return {
      ...common,
      form: {
        form: wire.form?.form ?? null,
        data: null,
        completed: end?.outcome === 'answered' ? { completedAt: end.at, userId: end.by } : null,
        restarted,
        reassigned,
        skipped,
        state: end ? 'FORM_INSTANCE_STATE_DONE' : 'FORM_INSTANCE_STATE_WAITING',
      },
    }
  const isTimedOut = end?.outcome === 'timed out'
  return {
    ...common,
    wait: {
      name: step.name,
      commentOnFirstWait: step.commentOnFirstWait,
      commentOnTimeout: step.commentOnTimeout,
      condition: step.until.by === 'condition' ? { condition: step.until.condition } : null,
      untilTime:
        step.until.by === 'condition'
          ? null
          : {
              untilTime: instance.expiresAt,
              durationIfExists: step.until.by === 'duration' ? step.until.seconds : null,
            },
      timeoutDuration: step.timeoutSeconds,
      timeout: step.until.by === 'condition' ? instance.expiresAt : null,
      startedWaitingAt: instance.startedAt,
      succeeded: end?.outcome === 'waited' ? { succeededAt: end.at } : null,
      timedOut: isTimedOut ? { timedOutAt: end.at } : null,
      skipped,
      state: isTimedOut
        ? 'WAIT_INSTANCE_STATE_TIMED_OUT'
        : end
          ? 'WAIT_INSTANCE_STATE_COMPLETED'
          : 'WAIT_INSTANCE_STATE_WAITING',
    },
  }
}

type WireApproval = NonNullable<Instance['wire']['approval']>

/** The step as the policy says it, with who it came to. */
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

/** Why a step whose time has come by the clock has not ended; null where none is late. */
export function whyLate({ clock, now }: Pick<World, 'clock' | 'now'>, state: TaskState): string | null {
  const at = currentOf(state)?.expiresAt
  return at && at <= now() && at > steadyNow({ now, ...(clock && { clock }) }) && clock?.doubt
    ? `The time of this step has come, but ${clock.doubt}.`
    : null
}

/** A task, and what the caller may do with it. `late` says why its step has not ended. */
export function taskOnWire(
  task: Task,
  state: TaskState,
  actions: ReadonlySet<ActionName>,
  late: string | null,
): TaskOnWire {
  const stuckWhy = state.stuckWhy ?? late
  const now = currentOf(state)
  const isHuman = now !== null && now.assignees.length > 0
  return {
    id: task.id,
    numericId: task.number,
    displayName: task.displayName,
    description: task.description,
    type: typeOf(task),
    state: task.isOpen ? 'TASK_STATE_OPEN' : 'TASK_STATE_CLOSED',
    processing: !task.isOpen
      ? 'TASK_PROCESSING_TYPE_DONE'
      : isHuman || now?.step.kind === 'wait' || state.stuckWhy !== null
        ? 'TASK_PROCESSING_TYPE_WAITING'
        : 'TASK_PROCESSING_TYPE_PROCESSING',
    origin: task.origin,
    userId: task.subjectUserId,
    createdByUserId: task.createdBy,
    stepApproverIds: assigneesOf(state),
    approverIds: task.approverIds,
    actions: [...actions].map((name) => actionTypeOf[name]),
    policy: {
      policy: null,
      current: now && stepOnWire(now, task),
      history: state.instances.filter(({ end }) => end !== null).map((each) => stepOnWire(each, task)),
      next: state.isOpen ? state.wire.slice(state.place + (now ? 1 : 0)) : [],
    },
    policyGenerationId: String(state.generation),
    emergencyAccess: task.isEmergency,
    form: now?.step.kind === 'form' ? (now.wire.form?.form ?? null) : null,
    data: state.answers,
    revision: String(state.revision),
    commentCount: task.commentCount,
    annotations: stuckWhy === null ? [] : [{ stuck: stuckWhy }],
    externalRefs: [],
    revocationTargets: [],
    insightIds: [],
    recommendation: 'INSIGHT_RECOMMENDATION_UNSPECIFIED',
    analysisId: '',
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
    deletedAt: task.deletedAt,
  }
}

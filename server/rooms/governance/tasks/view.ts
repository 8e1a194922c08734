import type { MessageOf } from '#kernel/wire.ts'
import { steadyNow, type World } from '#kernel/world.ts'
import type { ActionName } from './machine/action.ts'
import { currentOf } from './machine/fold.ts'
import type { Task } from './machine/record.ts'
import type { TaskOutcome, TaskState } from './machine/task.ts'
import { assigneesOf } from './machine/unfold.ts'
import type { actionTypes, TaskMessage, TaskType } from './shapes.ts'
import { stepOnWire } from './step-view.ts'

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

/** The names of outcomes in the API, by kind of task. */
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
  // The published API has no type for changes: the description shows the content, and so does GET /api/v1/four_eyes/changes.
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

/** Why a step that is due by the clock has not ended; null if none is late. */
export function whyLate({ clock, now }: Pick<World, 'clock' | 'now'>, state: TaskState): string | null {
  const at = currentOf(state)?.expiresAt
  return at && at <= now() && at > steadyNow({ now, ...(clock && { clock }) }) && clock?.doubt
    ? `The time of this step has come, but ${clock.doubt}.`
    : null
}

/** A task, and what the caller may do with it. `late`: why its step has not ended. */
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

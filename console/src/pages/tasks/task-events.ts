import type { ApprovalInstance, PolicyStepInstance, TaskAuditView, User } from '#client/api/types.ts'
import { type ProvisionTold, provisionEvent } from './provisioned.ts'
import type { SeenTask } from './seen-task.ts'
import { lengthWords, stepTitle } from './words.ts'

/** How a step was decided, by its outcome. */
function decisionOf({ approved, denied, reassigned, restarted, skipped }: ApprovalInstance): string {
  if (approved) return 'approved'
  if (denied) return 'denied'
  if (reassigned) return 'reassigned the step'
  if (skipped) return 'skipped the step'
  return restarted ? 'restarted the steps' : ''
}

const outcomes: Readonly<Record<string, string>> = {
  GRANTED: 'Recorded as granted',
  REVOKED: 'Recorded as revoked',
  DENIED: 'The request was denied',
  ERROR: 'Provisioning failed, and the request was closed',
  CANCELLED: 'The request was cancelled',
  WAIT_TIMED_OUT: 'The request timed out',
}

const sources: Readonly<Record<string, string>> = {
  ENTITLEMENT_OVERRIDE: 'the entitlement',
  ROUTING_RULE: 'a routing rule of the app',
  ENTITLEMENT_DEFAULT: 'the entitlement',
  APP_DEFAULT: 'the defaults of the app',
  ACCESS_PROFILE_DEFAULT: 'the access profile',
}

const namesOf = (users: readonly User[]): string => users.map(({ displayName }) => displayName).join(', ')

type Told = { who: string; event: TaskAuditView; seen: SeenTask; provisioned: ProvisionTold }
/** What happened, as a sentence; null if another entry already shows it, and undefined for another kind of event. */
type Describer = (told: Told) => string | null | undefined

const on =
  <Kind extends keyof TaskAuditView>(
    kind: Kind,
    words: (of: NonNullable<TaskAuditView[Kind]>, told: Told) => string | null,
  ): Describer =>
  (told) => {
    const of = told.event[kind]
    return of ? words(of, told) : undefined
  }

// The first that returns a sentence or null is used: one event can have several kinds.
const describers: readonly Describer[] = [
  // The events of what an action did describe it.
  on('actionSubmitted', () => null),
  on('taskCreated', (_, { who }) => `${who} created the request`),
  on('taskCreatedFrom', () => 'Another task created the request'),
  on('requestDefaultsApplied', ({ source }) => {
    const name = sources[source.replace('APPLIED_SETTINGS_SOURCE_', '')]
    return `The settings come from ${name ?? 'another source'}`
  }),
  on('conditionalPolicyExecutionResult', ({ condition }) =>
    condition ? `The policy was selected: the rule “${condition}” is true` : 'The policy was selected',
  ),
  on('policyChanged', () => 'Another policy took over'),
  on('policyEvaluationStep', (_, { event, seen, provisioned }) => provisionEvent(event, seen, provisioned)),
  on('approvalInstanceChange', ({ instance }, { who }) => {
    const decision = instance ? decisionOf(instance) : ''
    if (decision) return `${who} ${decision}`
    return instance?.approval
      ? `${stepTitle({ approval: instance } as PolicyStepInstance)} was requested`
      : 'The approvers changed'
  }),
  on('comment', ({ comment }, { who, event: { userId, policyStepId } }) => {
    // Of the events that have the form of comments, only an undo is about a step.
    if (userId && policyStepId) return `${who} undid a decision`
    return userId ? `${who} commented` : comment
  }),
  on('approvalReassigned', toOthers),
  on('provisionReassigned', toOthers),
  on('reassignmentFallbackToAdmin', () => 'Nobody else could decide: Super Administrators were asked'),
  on('reassignedToDelegate', ({ delegatedAssigneeUser: to, originalAssigneeUser: from }) => {
    return `${to?.displayName ?? 'A delegate'} was asked in place of ${from?.displayName ?? 'someone else'}`
  }),
  on('approvedAutomatically', (_, { who }) => `${who} approved automatically with the request`),
  on('approvalAutoAcceptedByPolicy', () => 'The policy approved automatically'),
  on('approvalAutoRejectedByPolicy', () => 'The policy denied automatically'),
  on('taskRestarted', (_, { who }) => `${who} restarted the steps`),
  on('hardReset', () => 'The policy was selected again, and the steps were restarted'),
  on('taskEscalated', (_, { who }) => `${who} requested emergency access`),
  on('slaEscalation', () => 'The step was escalated: nobody decided in time'),
  on('stepSkipped', (_, { who }) => `${who} skipped the step`),
  on('grantDurationUpdated', ({ duration }, { who }) => `${who} changed the duration to ${lengthWords(duration)}`),
  on('formInstanceChange', ({ isValid }, { who }) =>
    isValid ? `${who} answered the questions` : 'The requester was asked questions',
  ),
  on('provisionError', () => 'Provisioning failed'),
  on('provisionCancelled', (_, { who }) => `${who} closed the request without provisioning`),
  on('waitStepWaiting', () => 'The wait started'),
  on('waitStepUntilTime', () => 'The wait started'),
  on('waitStepSuccess', () => 'The wait is over'),
  on('waitStepTimedOut', () => 'The wait timed out'),
  on('expressionPolicyStepError', () => 'The request is stuck'),
  on('webhookApprovalTriggered', ({ webhookName }) => `The webhook ${webhookName} was asked`),
  on('webhookTriggered', ({ webhookName }) => `The webhook ${webhookName} was asked`),
  on('webhookApprovalAttempt', ({ webhookName }) => `Tried to reach the webhook ${webhookName}`),
  on('webhookAttempt', ({ webhookName }) => `Tried to reach the webhook ${webhookName}`),
  on('webhookApprovalFatalError', ({ webhookName }) => `The webhook ${webhookName} did not decide`),
  on('webhookApprovalBadResponse', ({ webhookName }) => `The webhook ${webhookName} did not decide`),
  on('webhookApprovalSuccess', ({ webhookName }) => `The webhook ${webhookName} responded`),
  on('webhookSuccess', ({ webhookName }) => `The webhook ${webhookName} responded`),
  on('stateChange', (_, { event }) =>
    event.currentState === 'TASK_STATE_CLOSED' ? 'The task was closed' : 'The task continued',
  ),
]

function toOthers({ users }: { users: readonly User[] }, { who }: Told): string {
  return `${who} reassigned the step to ${namesOf(users) || 'others'}`
}

/** What happened, as a sentence; null if another entry already shows it. */
export function describeEvent(event: TaskAuditView, seen: SeenTask, provisioned: ProvisionTold): string | null {
  const who = whoOf(event, seen)
  for (const describe of describers) {
    const words = describe({ who, event, seen, provisioned })
    if (words !== undefined) return words
  }
  const outcome = event.grantOutcome?.outcome ?? event.revokeOutcome?.outcome ?? ''
  return outcomes[outcome.replace(/^[A-Z]+_OUTCOME_/, '')] ?? `Other event of ${seen.task.displayName}`
}

export const whoOf = ({ userId, metadata }: TaskAuditView, seen: SeenTask): string =>
  metadata?.user?.displayName || seen.nameOf(userId)

/** The text with it: a separate comment, the comment of a decision, or an error. */
export const saidIn = (event: TaskAuditView, comments: ReadonlyMap<string, string>, seen: SeenTask): string => {
  if (event.taskCreated) return seen.task.description
  if (event.comment && (!event.userId || event.policyStepId)) return comments.get(event.id) ?? ''
  // What a step that nobody decides says of its end is the event itself.
  if (event.policyEvaluationStep && !event.userId) return ''
  return (
    comments.get(event.id) ??
    event.comment?.comment ??
    event.expressionPolicyStepError?.error ??
    event.provisionError?.error ??
    event.webhookApprovalFatalError?.error ??
    event.webhookApprovalBadResponse?.error ??
    (event.webhookApprovalSuccess || event.webhookApprovalAttempt || event.webhookAttempt ? event.note : undefined) ??
    event.provisionCancelled?.cancelReason ??
    event.slaEscalation?.message ??
    ''
  )
}

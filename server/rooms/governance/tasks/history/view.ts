import type { MessageOf } from '#kernel/wire.ts'
import type { WebhookNamed } from '#rooms/events/webhooks/index.ts'
import type { User } from '#rooms/identity/users/index.ts'
import type { Happened } from '../machine/event.ts'
import { currentOf, emptyState, fold } from '../machine/fold.ts'
import type { Task } from '../machine/record.ts'
import type { Instance, TaskState } from '../machine/task.ts'
import { stepOnWire } from '../step-view.ts'
import { actionTypeOf, grantOutcomeOf, revokeOutcomeOf } from '../view.ts'
import type { AuditView } from './shapes.ts'

type Audit = Partial<MessageOf<(typeof AuditView)['fields']>>

export type Kept = Happened & { id: string; number: number }

/** An event with the state of the task before and after it. */
export type Told = { event: Kept; before: TaskState; after: TaskState; previous: Happened | null }

/** Replays all events of a task, in order, and returns the wanted ones with the states around them. */
export function withStates(all: readonly Happened[], wanted: readonly Kept[]): Map<string, Told> {
  const byNumber = new Map(wanted.map((event) => [event.number, event]))
  const found = new Map<string, Told>()
  let state: TaskState = emptyState
  for (const [place, each] of all.entries()) {
    const before = state
    state = fold(state, each)
    const event = byNumber.get(place + 1)
    if (event) found.set(event.id, { event, before, after: state, previous: all[place - 1] ?? null })
  }
  return found
}

/** All people whom an event names. */
export const namedIn = (event: Happened): string[] =>
  [event.by, ...('assignees' in event ? event.assignees.flatMap((each) => [each.userId, each.for ?? '']) : [])].filter(
    (id) => id !== '',
  )

type People = ReadonlyMap<string, User>

/** An event of a task as clients see it. Events without a published type are shown as a comment of the service. */
export function auditOnWire(task: Task, told: Told, people: People, commentsOnly: boolean): Audit {
  const { event, after } = told
  const user = people.get(event.by) ?? null
  const isComment = commentsOnly && 'comment' in event
  return {
    id: event.id,
    ticketId: task.id,
    userId: event.by,
    created: event.at,
    currentState: after.isOpen ? 'TASK_STATE_OPEN' : 'TASK_STATE_CLOSED',
    eventType: isError(event) ? 'TASK_AUDIT_EVENT_TYPE_ERROR' : 'TASK_AUDIT_EVENT_TYPE_NEUTRAL',
    source: 'SOURCE_C1',
    workflowStep: after.place,
    policyStepId: 'stepId' in event ? event.stepId : '',
    note: noteOf(event),
    metadata: user && { user },
    ...(isComment ? said(event, event.comment) : eventOf(task, told, people)),
  }
}

const byWebhookWords: { readonly [outcome: string]: string } = {
  approved: 'Approved',
  denied: 'Denied',
  skipped: 'Replaced by other steps',
}

const noteOf = (event: Happened): string => {
  const decidedBy = event.is === 'ended' && event.webhook ? byWebhookWords[event.outcome] : undefined
  if (decidedBy !== undefined && 'comment' in event)
    return event.comment === '' ? `${decidedBy}.` : `${decidedBy}: ${event.comment}`
  if ('comment' in event) return event.comment
  if (event.is === 'stuck') return event.why
  if (event.is === 'webhook failed') return event.error
  if (event.is === 'webhook attempted')
    return `Attempt ${event.attempt}: ${event.error || (event.status === 0 ? 'No reply was noted.' : `The receiver answered ${event.status}.`)}`
  return 'why' in event ? event.why.join(' ') : ''
}

const isError = (event: Happened): boolean =>
  event.is === 'stuck' ||
  event.is === 'webhook failed' ||
  (event.is === 'webhook attempted' && event.error !== '') ||
  (event.is === 'ended' && event.outcome === 'failed')

const said = (event: Happened, comment: string): Audit => ({
  comment: { comment, updatedAt: event.at, updatedBy: event.by },
})

const instanceOf = ({ instances }: TaskState, stepId: string): Instance | null =>
  instances.findLast(({ id }) => id === stepId) ?? null

const usersOf = (people: People, ids: readonly string[]): User[] =>
  ids.flatMap((id) => {
    const user = people.get(id)
    return user ? [user] : []
  })

function eventOf(task: Task, { event, before, after, previous }: Told, people: People): Audit {
  const stepBefore = currentOf(before)?.id ?? ''
  switch (event.is) {
    case 'created':
      if (before.policyId !== '')
        return { taskEscalated: { oldPolicyId: before.policyId, oldPolicyStepId: stepBefore } }
      return task.parentId === '' ? { taskCreated: {} } : { taskCreatedFrom: { originalTaskId: task.parentId } }
    case 'settings applied': {
      const { appId, routingRuleId, source } = event
      return { requestDefaultsApplied: { appId, routingRuleId, source } }
    }
    case 'routed':
      return routed(event, before, previous, stepBefore)
    case 'begun':
      return begun(task, event, after, people)
    case 'ended':
      return ended(task, event, after, previous)
    case 'reassigned': {
      const ids = event.assignees.map(({ userId }) => userId)
      const { stepId: oldPolicyStepId, newStepId: newPolicyStepId } = event
      const what = { oldPolicyStepId, newPolicyStepId, newUsers: ids, users: usersOf(people, ids) }
      return currentOf(after)?.step.kind === 'provision' ? { provisionReassigned: what } : { approvalReassigned: what }
    }
    case 'recalculated':
      return assigned(event.assignees, people) ?? { approvalInstanceChange: changeOf(task, after, event.stepId) }
    case 'escalated':
      return { slaEscalation: { message: event.comment } }
    case 'duration changed':
      return { grantDurationUpdated: { duration: event.durationSeconds } }
    case 'answers changed':
      return { formInstanceChange: { isValid: true } }
    case 'restarted':
      return { taskRestarted: { oldPolicyStepId: stepBefore } }
    case 'retried':
    case 'resumed':
      return { stateChange: { previousState: before.isOpen ? 'TASK_STATE_OPEN' : 'TASK_STATE_CLOSED' } }
    case 'commented':
      return said(event, event.comment)
    case 'webhook asked':
      return isApproval(after, event.stepId)
        ? { webhookApprovalTriggered: webhookOnWire(event.webhook) }
        : { webhookTriggered: webhookOnWire(event.webhook) }
    case 'webhook attempted':
      return isApproval(after, event.stepId)
        ? { webhookApprovalAttempt: webhookOnWire(event.webhook) }
        : { webhookAttempt: webhookOnWire(event.webhook) }
    case 'webhook failed':
      // For provisioning, the error of the step follows.
      if (!isApproval(before, event.stepId)) return { provisionError: { error: event.error } }
      return {
        [event.isBadAnswer ? 'webhookApprovalBadResponse' : 'webhookApprovalFatalError']: {
          ...webhookOnWire(event.webhook),
          error: event.error,
        },
      }
    case 'steps added':
      return said(event, `The webhook ${event.webhook.name} added ${event.wire.length} steps to replace its own step.`)
    case 'undone':
      return said(event, `A decision was undone${event.comment === '' ? '.' : `: ${event.comment}`}`)
    case 'acted':
      return { actionSubmitted: { action: actionOf(event) } }
    case 'stuck':
      return { expressionPolicyStepError: { error: event.why } }
    case 'closed':
      if (task.kind === 'change') return said(event, event.comment || changeOutcomes[event.outcome])
      if (task.kind === 'grant') return { grantOutcome: { outcome: grantOutcomeOf(event.outcome) } }
      return task.kind === 'revoke'
        ? { revokeOutcome: { outcome: revokeOutcomeOf(event.outcome) } }
        : { stateChange: { previousState: 'TASK_STATE_OPEN' } }
  }
}

const isApproval = (state: TaskState, stepId: string): boolean => instanceOf(state, stepId)?.step.kind === 'approval'

const webhookOnWire = ({ id, name, url, deliveryId }: WebhookNamed) => ({
  webhookId: id,
  webhookName: name,
  webhookUrl: url,
  webhookInstanceId: deliveryId,
})

const changeOutcomes: Record<Extract<Happened, { is: 'closed' }>['outcome'], string> = {
  done: 'The change was applied.',
  denied: 'The change was denied.',
  failed: 'The change could not be applied.',
  cancelled: 'The change was cancelled.',
  'timed out': 'The change was not approved in time.',
}

const actionOf = ({ id, action, stepId, by, at }: Extract<Kept, { is: 'acted' }>) => ({
  id,
  actionType: actionTypeOf[action],
  policyStepId: stepId,
  userId: by,
  bulkActionId: '',
  createdAt: at,
  updatedAt: at,
  deletedAt: null,
})

const changeOf = (task: Task, state: TaskState, stepId: string) => {
  const instance = instanceOf(state, stepId)
  return { instance: (instance && stepOnWire(instance, task).approval) ?? null }
}

function routed(
  { policyId, choices = [], why }: Extract<Happened, { is: 'routed' }>,
  before: TaskState,
  previous: Happened | null,
  oldPolicyStepId: string,
): Audit {
  if (previous?.is === 'escalated') return { policyChanged: { newPolicyId: policyId, oldPolicyId: before.policyId } }
  const isAnew = before.generation > 0 && previous?.is !== 'created'
  if (isAnew) return { hardReset: { oldPolicyStepId } }
  const last = choices.at(-1)
  if (!last) return { policyEvaluationStep: { stepComment: why.join(' ') } }
  return {
    conditionalPolicyExecutionResult: {
      chainDepth: choices.length - 1,
      condition: last.condition,
      conditionMatched: last.condition !== '',
      defaultCondition: last.condition === '',
      error: '',
      outcomePolicyId: last.outcomePolicyId,
      policyId,
      policyKey: last.stepKey,
    },
  }
}

type Assignees = Extract<Happened, { is: 'begun' }>['assignees']

/** The people to whom it was assigned, if they are not those whom the policy names. */
function assigned(assignees: Assignees, people: People): Audit | null {
  const admins = assignees.filter(({ why }) => why === 'superAdministrator').map(({ userId }) => userId)
  if (admins.length > 0)
    return { reassignmentFallbackToAdmin: { adminUserIds: admins, adminUsers: usersOf(people, admins) } }
  const delegate = assignees.find(({ why }) => why === 'delegate')
  if (!delegate) return null
  const { userId, for: original = '' } = delegate
  return {
    reassignedToDelegate: {
      delegatedAssigneeUserId: userId,
      delegatedAssigneeUser: people.get(userId) ?? null,
      originalAssigneeUserId: original,
      originalAssigneeUser: people.get(original) ?? null,
    },
  }
}

const conditionOf = (instance: Instance | null): string =>
  instance?.step.kind === 'wait' && instance.step.until.by === 'condition' ? instance.step.until.condition : ''

function begun(task: Task, event: Extract<Happened, { is: 'begun' }>, after: TaskState, people: People): Audit {
  const { stepId, expiresAt } = event
  const instance = instanceOf(after, stepId)
  const kind = instance?.step.kind
  if (kind === 'wait')
    return conditionOf(instance) === ''
      ? { waitStepUntilTime: { stepId, untilTime: expiresAt } }
      : { waitStepWaiting: { condition: conditionOf(instance), stepId } }
  if (kind === 'approval')
    return assigned(event.assignees, people) ?? { approvalInstanceChange: changeOf(task, after, stepId) }
  if (kind === 'form') return { formInstanceChange: { isValid: false } }
  return {
    policyEvaluationStep: {
      stepComment: kind === 'provision' ? 'Provisioning began.' : `The step ${kind ?? ''} began.`,
    },
  }
}

function ended(
  task: Task,
  { outcome, by, at, comment, stepId, webhook }: Extract<Happened, { is: 'ended' }>,
  after: TaskState,
  previous: Happened | null,
): Audit {
  const condition = conditionOf(instanceOf(after, stepId))
  if (webhook && outcome !== 'failed')
    return outcome === 'provisioned'
      ? { webhookSuccess: webhookOnWire(webhook) }
      : { webhookApprovalSuccess: webhookOnWire(webhook) }
  if (outcome === 'accepted') return { approvalAutoAcceptedByPolicy: {} }
  if (outcome === 'rejected') return { approvalAutoRejectedByPolicy: {} }
  if (outcome === 'skipped') return { stepSkipped: { skippedBy: by } }
  if (outcome === 'failed') return { provisionError: { error: comment } }
  if (outcome === 'not done') return { provisionCancelled: { cancelReason: comment } }
  if (outcome === 'waited') return { waitStepSuccess: { condition, stepId, succeededAt: at } }
  if (outcome === 'timed out') return { waitStepTimedOut: { condition, stepId, timedOutAt: at } }
  if (outcome === 'answered') return { formInstanceChange: { isValid: true } }
  if (outcome === 'provisioned') return { policyEvaluationStep: { stepComment: comment || provisionedWords(task, by) } }
  // The requester decided by requesting: nobody acted.
  if (previous?.is === 'begun' && previous.stepId === stepId) return { approvedAutomatically: {} }
  return { approvalInstanceChange: changeOf(task, after, stepId) }
}

/** What is known of something that ended without a word: who said that it is done, or that nothing but a record was needed. */
function provisionedWords({ kind }: Task, by: string): string {
  if (kind === 'change') return 'The change was made.'
  return by === '' ? 'Recorded in Bailiwick.' : 'Marked as done by the person who was asked.'
}

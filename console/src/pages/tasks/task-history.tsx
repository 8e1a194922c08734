import { Alert, Button, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { taskAuditList } from '#client/api/operations.ts'
import type { ApprovalInstance, PolicyStepInstance, TaskAuditView, User } from '#client/api/types.ts'
import { call } from '../../client/call.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import type { SeenTask } from './seen-task.ts'
import classes from './task-history.module.css'
import { lengthWords, stepTitle, targetName } from './words.ts'

/** How someone decided a step, by what became of it. */
function decisionOf({ approved, denied, reassigned, restarted, skipped }: ApprovalInstance): string {
  if (approved) return 'approved'
  if (denied) return 'denied'
  if (reassigned) return 'reassigned the step'
  if (skipped) return 'skipped the step'
  return restarted ? 'restarted the steps' : ''
}

const outcomes: Readonly<Record<string, string>> = {
  GRANTED: 'Access was granted',
  REVOKED: 'Access was revoked',
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

/** What happened, as a sentence; null for what another entry tells already. */
function tell(event: TaskAuditView, seen: SeenTask, who: string): string | null {
  const outcome = (event.grantOutcome?.outcome ?? event.revokeOutcome?.outcome ?? '').replace(/^[A-Z]+_OUTCOME_/, '')
  // Every action is told by what it did.
  if (event.actionSubmitted) return null
  if (event.taskCreated) return `${who} created the request`
  if (event.taskCreatedFrom) return 'Another task created the request'
  if (event.requestDefaultsApplied) {
    const source = event.requestDefaultsApplied.source.replace('APPLIED_SETTINGS_SOURCE_', '')
    return `The settings come from ${sources[source] ?? 'another source'}`
  }
  if (event.conditionalPolicyExecutionResult) {
    const { condition } = event.conditionalPolicyExecutionResult
    return condition ? `The policy was selected: the rule “${condition}” is true` : 'The policy was selected'
  }
  if (event.policyChanged) return 'Another policy took over'
  if (event.policyEvaluationStep) return event.policyEvaluationStep.stepComment
  if (event.approvalInstanceChange) {
    const { instance } = event.approvalInstanceChange
    const decision = instance ? decisionOf(instance) : ''
    if (decision) return `${who} ${decision}`
    return instance?.approval
      ? `${stepTitle({ approval: instance } as PolicyStepInstance)} was requested`
      : 'The approvers changed'
  }
  // Of what is told as a comment, only an undo is about a step.
  if (event.comment && event.userId && event.policyStepId) return `${who} undid a decision`
  if (event.comment) return event.userId ? `${who} commented` : event.comment.comment
  const reassigned = event.approvalReassigned ?? event.provisionReassigned
  if (reassigned) return `${who} reassigned the step to ${namesOf(reassigned.users) || 'others'}`
  if (event.reassignmentFallbackToAdmin) return 'Nobody else could decide: Super Administrators were asked'
  if (event.reassignedToDelegate) {
    const { delegatedAssigneeUser: to, originalAssigneeUser: from } = event.reassignedToDelegate
    return `${to?.displayName ?? 'A delegate'} was asked in place of ${from?.displayName ?? 'someone else'}`
  }
  if (event.approvedAutomatically) return `${who} approved automatically with the request`
  if (event.approvalAutoAcceptedByPolicy) return 'The policy approved automatically'
  if (event.approvalAutoRejectedByPolicy) return 'The policy denied automatically'
  if (event.taskRestarted) return `${who} restarted the steps`
  if (event.hardReset) return 'The policy was selected again, and the steps were restarted'
  if (event.taskEscalated) return `${who} requested emergency access`
  if (event.slaEscalation) return 'The step was escalated: nobody decided in time'
  if (event.stepSkipped) return `${who} skipped the step`
  if (event.grantDurationUpdated)
    return `${who} changed the duration to ${lengthWords(event.grantDurationUpdated.duration)}`
  if (event.formInstanceChange)
    return event.formInstanceChange.isValid ? `${who} answered the questions` : 'The requester was asked questions'
  if (event.provisionError) return 'Provisioning failed'
  if (event.provisionCancelled) return `${who} closed the request without provisioning`
  if (event.waitStepWaiting || event.waitStepUntilTime) return 'The wait started'
  if (event.waitStepSuccess) return 'The wait is over'
  if (event.waitStepTimedOut) return 'The wait timed out'
  if (event.expressionPolicyStepError) return 'The request is stuck'
  const asked = event.webhookApprovalTriggered ?? event.webhookTriggered
  if (asked) return `The webhook ${asked.webhookName} was asked`
  const attempted = event.webhookApprovalAttempt ?? event.webhookAttempt
  if (attempted) return `Tried to reach the webhook ${attempted.webhookName}`
  const undecided = event.webhookApprovalFatalError ?? event.webhookApprovalBadResponse
  if (undecided) return `The webhook ${undecided.webhookName} did not decide`
  const answered = event.webhookApprovalSuccess ?? event.webhookSuccess
  if (answered) return `The webhook ${answered.webhookName} responded`
  if (event.stateChange)
    return event.currentState === 'TASK_STATE_CLOSED' ? 'The task was closed' : 'The task continued'
  return outcomes[outcome] ?? `Other event of ${seen.task.displayName}`
}

const whoOf = ({ userId, metadata }: TaskAuditView, seen: SeenTask): string =>
  metadata?.user?.displayName || seen.nameOf(userId)

/** What was said with it: a comment of its own, of a decision, or what went wrong. */
const saidIn = (event: TaskAuditView, comments: ReadonlyMap<string, string>, seen: SeenTask): string => {
  if (event.taskCreated) return seen.task.description
  if (event.comment && (!event.userId || event.policyStepId)) return comments.get(event.id) ?? ''
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

const pageSize = 50
const pageSizeMax = 100

/** What happened to a task, newest first: each event that is told, with what was said. */
function useTold(seen: SeenTask) {
  const taskId = seen.task.id
  const { data, ...query } = useInfiniteQuery({
    queryKey: [taskAuditList.id, { taskId }],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const page = await call(
        taskAuditList,
        { body: { taskId, newestFirst: true, pageSize, pageToken: pageParam } },
        signal,
      )
      // The API tells what was said with a decision only where comments alone are asked for.
      const refs = page.list.map(({ id }) => ({ id }))
      const body = { taskId, refs, commentsOnly: true, pageSize: pageSizeMax }
      const { list } = refs.length > 0 ? await call(taskAuditList, { body }, signal) : { list: [] }
      return { ...page, said: list.map(({ id, comment }) => [id, comment?.comment ?? ''] as const) }
    },
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
  })
  const comments = new Map(data?.pages.flatMap(({ said }) => said))
  const told = (data?.pages.flatMap(({ list }) => list) ?? []).flatMap((event) => {
    const what = tell(event, seen, whoOf(event, seen))
    return what === null ? [] : [{ event, what, comment: saidIn(event, comments, seen) }]
  })
  return { ...query, told }
}

/** Who denied a request and why, and the way to ask again for those who asked. */
export function DenialNote({ seen }: { seen: SeenTask }): ReactNode {
  const { user } = useSession()
  const { told, isPending } = useTold(seen)
  if (isPending) return null
  const denied = told.find(({ event }) => event.approvalInstanceChange?.instance?.denied)
  const isMine = seen.task.userId === user?.id || seen.task.createdByUserId === user?.id
  return (
    <Alert
      color="orange"
      variant="light"
      mb="md"
      icon={<IconX size={18} aria-hidden />}
      title={denied ? `Denied by ${whoOf(denied.event, seen)}` : 'Denied by the policy'}
    >
      <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        {denied ? denied.comment || 'No reason was given.' : 'Its steps below tell why.'}
      </Text>
      {isMine && seen.kind === 'grant' && (
        <Button
          component={Link}
          to={`/request?q=${encodeURIComponent(targetName(seen))}`}
          size="xs"
          variant="default"
          mt="xs"
        >
          Request again
        </Button>
      )}
    </Alert>
  )
}

/** All that happened to a task. */
export function TaskHistory({ seen }: { seen: SeenTask }): ReactNode {
  const { told, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useTold(seen)
  if (error) return <ErrorNote error={error} title="The history could not be loaded" retry={() => void refetch()} />
  return (
    <div aria-busy={isPending}>
      <ol className={classes.list} aria-label="Events, newest first">
        {told.map(({ event, what, comment }) => (
          <li key={event.id} className={classes.event} data-error={event.eventType === 'TASK_AUDIT_EVENT_TYPE_ERROR'}>
            <span className={classes.what}>{what}</span>
            <span className={classes.when}>
              <Moment at={event.created} />
            </span>
            {comment && <p className={classes.comment}>{comment}</p>}
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button size="xs" variant="default" mt="sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show earlier events
        </Button>
      )}
    </div>
  )
}

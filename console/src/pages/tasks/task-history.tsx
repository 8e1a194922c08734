import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { taskAuditList } from '../../api/operations.ts'
import type { PolicyStepInstance, TaskAuditView } from '../../api/types.ts'
import { call } from '../../client/call.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import type { SeenTask } from './seen-task.ts'
import classes from './task-history.module.css'
import { lengthWords, stepTitle } from './words.ts'

type Told = { what: string; comment?: string }

/** How someone ended a step, by what became of it. */
function endWords({ approval, provision, form }: PolicyStepInstance): string {
  if (approval?.approved) return 'approved'
  if (approval?.denied) return 'denied'
  if (provision?.completed) return 'completed the provisioning'
  if (provision?.cancelled) return 'did not carry out the provisioning'
  if (form?.completed) return 'answered the questions'
  return 'ended the step'
}

const outcomes: Readonly<Record<string, string>> = {
  GRANTED: 'Access was granted',
  REVOKED: 'Access was revoked',
  DENIED: 'The request was denied',
  ERROR: 'Provisioning failed, and the request was closed',
  CANCELLED: 'The request was cancelled',
  WAIT_TIMED_OUT: 'The request timed out',
}

const actionWords = (type: string): string =>
  `asked to ${type.replace('TASK_ACTION_TYPE_', '').replaceAll('_', ' ').toLowerCase()}`

/** What happened, as a sentence. */
function tell(event: TaskAuditView, seen: SeenTask, who: string): Told {
  const steps = [...(seen.task.policy?.history ?? []), ...(seen.task.policy?.current ? [seen.task.policy.current] : [])]
  const outcome = (event.grantOutcome?.outcome ?? event.revokeOutcome?.outcome ?? '').replace(/^[A-Z]+_OUTCOME_/, '')
  if (event.taskCreated) return { what: `${who} made the request`, comment: seen.task.description }
  if (event.conditionalPolicyExecutionResult) return { what: 'The policy was chosen', comment: event.note }
  const step = steps.find(({ id }) => id === event.policyStepId)
  if (event.approvalInstanceChange) {
    if (event.userId) return { what: `${who} ${step ? endWords(step) : 'ended a step'}`, comment: event.note }
    return { what: step ? `The step “${stepTitle(step)}” began` : 'A step began' }
  }
  if (event.actionSubmitted) return { what: `${who} ${actionWords(event.actionSubmitted.action?.actionType ?? '')}` }
  if (event.policyEvaluationStep)
    return event.userId
      ? { what: `${who} ${step ? endWords(step) : 'ended a step'}`, comment: event.note }
      : { what: step ? `The step “${stepTitle(step)}” went on` : 'The next step began', comment: event.note }
  if (event.policyChanged) return { what: 'Another policy applies now', comment: event.note }
  if (event.taskCreatedFrom) return { what: 'Another task opened this one' }
  if (event.requestDefaultsApplied) return { what: 'The settings of the request were read', comment: event.note }
  if (event.formInstanceChange)
    return { what: event.formInstanceChange.isValid ? `${who} answered the questions` : 'The questions were asked' }
  if (event.stateChange)
    return { what: event.userId ? `${who} changed the task` : 'The task went on', comment: event.note }
  if (event.comment)
    return event.userId ? { what: `${who} commented`, comment: event.comment.comment } : { what: event.comment.comment }
  if (event.approvalReassigned) return { what: `${who} reassigned the step`, comment: event.note }
  if (event.provisionReassigned) return { what: `${who} reassigned the provisioning`, comment: event.note }
  if (event.reassignmentFallbackToAdmin) return { what: 'Nobody else could decide: Super Administrators were asked' }
  if (event.reassignedToDelegate) return { what: 'The step went to a delegate' }
  if (event.approvedAutomatically || event.approvalAutoAcceptedByPolicy)
    return { what: 'The policy approved automatically' }
  if (event.approvalAutoRejectedByPolicy) return { what: 'The policy denied automatically' }
  if (event.taskRestarted) return { what: `${who} restarted the steps` }
  if (event.hardReset) return { what: 'The policy was chosen again, and the steps began anew' }
  if (event.taskEscalated) return { what: `${who} asked for emergency access` }
  if (event.slaEscalation) return { what: 'The step was escalated', comment: event.note }
  if (event.stepSkipped) return { what: `${who} skipped the step` }
  if (event.grantDurationUpdated)
    return { what: `${who} changed the duration to ${lengthWords(event.grantDurationUpdated.duration || null)}` }
  if (event.provisionError) return { what: 'Provisioning failed', comment: event.provisionError.error }
  if (event.provisionCancelled) return { what: `${who} did not carry out the provisioning`, comment: event.note }
  if (event.waitStepUntilTime) return { what: 'The wait began' }
  if (event.waitStepWaiting) return { what: 'The wait began' }
  if (event.waitStepSuccess) return { what: 'The wait is over' }
  if (event.waitStepTimedOut) return { what: 'The wait timed out' }
  if (event.expressionPolicyStepError)
    return { what: 'The request is stuck', comment: event.expressionPolicyStepError.error }
  return { what: outcomes[outcome] ?? 'Something else happened' }
}

const whoOf = ({ userId, metadata }: TaskAuditView, seen: SeenTask): string => {
  const user = metadata?.['user'] as { displayName?: string } | undefined
  return user?.displayName || seen.nameOf(userId)
}

const pageSize = 50

/** All that happened to a task, the newest first. */
export function TaskHistory({ seen }: { seen: SeenTask }): ReactNode {
  const taskId = seen.task.id
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery({
    queryKey: [taskAuditList.id, { taskId }],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call(taskAuditList, { body: { taskId, newestFirst: true, pageSize, pageToken: pageParam } }, signal),
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
  })
  if (error) return <ErrorNote error={error} title="The history could not be read" retry={() => void refetch()} />
  // What somebody did is told by what came of it; only a look at the task leaves nothing else.
  const isTold = ({ actionSubmitted }: TaskAuditView): boolean =>
    !actionSubmitted || actionSubmitted.action?.actionType === 'TASK_ACTION_TYPE_PROCESS_NOW'
  const events = (data?.pages.flatMap(({ list }) => list) ?? []).filter(isTold)
  return (
    <div aria-busy={isPending}>
      <ol className={classes.list} aria-label="What happened, the newest first">
        {events.map((event) => {
          const { what, comment } = tell(event, seen, whoOf(event, seen))
          return (
            <li key={event.id} className={classes.event} data-error={event.eventType === 'TASK_AUDIT_EVENT_TYPE_ERROR'}>
              <span className={classes.what}>{what}</span>
              <span className={classes.when}>
                <Moment at={event.created} />
              </span>
              {comment && <p className={classes.comment}>{comment}</p>}
            </li>
          )
        })}
      </ol>
      {hasNextPage && (
        <Button size="xs" variant="default" mt="sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show earlier events
        </Button>
      )}
    </div>
  )
}

import { route } from '#authority/route.ts'
import { notPeople } from '#authority/sight/index.ts'
import { ExpandMask, expandedField } from '#kernel/expand.ts'
import type { At, Route } from '#kernel/routes.ts'
import {
  described,
  duration,
  type Fields,
  list,
  message,
  nested,
  required,
  type Shape,
  struct,
  text,
} from '#kernel/wire.ts'
import { countWriting } from '../busy.ts'
import type { ActionName } from '../machine/action.ts'
import { presentTask } from '../present.ts'
import { TaskView } from '../shapes.ts'
import type { Wanted } from './action-rules.ts'
import { act } from './actions.ts'

const commentLength = 10_000
const usersMax = 32
const comment = text({ maxLength: commentLength })
const policyStepId = described(
  text(),
  'The step that the caller saw. If another step is current by now, the request fails.',
)
const expandMask = nested(ExpandMask)
const stepAndComment = { policyStepId, comment, expandMask }
const revision = described(
  text({ maxLength: 20, pattern: /^(0|[1-9]\d{0,15})?$/, hint: 'must be the revision of the task that was seen' }),
  'The revision of the task that the caller saw. If the duration or the answers have changed since, the request fails.',
)
const decision = { ...stepAndComment, revision }
const onlyComment = { comment, expandMask }

type Body = {
  policyStepId?: string
  comment?: string
  newStepUserIds?: readonly string[]
  duration?: number | null
  data?: Wanted['answers']
  revision?: string
  expandMask?: { paths: readonly string[] } | null
}

/** Limits what anyone may do to a task repeatedly. */
const atWill: ReadonlySet<ActionName> = new Set(['comment', 'reassign', 'update-request-data', 'update-grant-duration'])

function actionRoute(
  name: ActionName,
  id: string,
  summary: string,
  fields: Fields,
  { needsStep = false, actionIdField = 'ticketActionId' }: { needsStep?: boolean; actionIdField?: string } = {},
): Route {
  const at = `POST /api/v1/tasks/{task_id}/action/${name}` as At
  return route({
    id,
    at,
    summary,
    rule: 'tasks.act',
    body: message(`${id}Request`, {
      ...fields,
      ...(needsStep && { policyStepId: required(fields['policyStepId'] as Shape<string>, 'must be given') }),
    }),
    reply: message(`${id}Response`, {
      taskView: nested(TaskView),
      expanded: expandedField,
      ...(actionIdField !== '' && { [actionIdField]: text() }),
    }),
    async handle(call, { path, body }) {
      const asked = body as Body
      if (atWill.has(name)) countWriting(call)
      const ran = await act(call, (path as { task_id: string }).task_id, {
        action: name,
        ...(asked.policyStepId && { stepId: asked.policyStepId }),
        ...(asked.comment && { comment: asked.comment }),
        ...(asked.newStepUserIds && { newUserIds: asked.newStepUserIds }),
        ...(asked.duration !== undefined && { durationSeconds: asked.duration }),
        ...(asked.data !== undefined && { answers: asked.data }),
        ...(asked.revision && { revision: asked.revision }),
      })
      notPeople(
        call,
        ran.events.map(({ id: eventId }) => eventId),
      )
      const view = await presentTask(call, ran.task, asked.expandMask ?? null, { state: ran.state })
      return { ...view, ...(actionIdField !== '' && { [actionIdField]: ran.events[0]?.id ?? '' }) }
    },
  })
}

const published = 'task.v1.TaskActionsService'

export const actionRoutes: Route[] = [
  actionRoute('approve', `${published}.Approve`, 'Approve the current step of a task.', decision, {
    needsStep: true,
  }),
  actionRoute('deny', `${published}.Deny`, 'Deny the current step, which closes the task.', decision),
  actionRoute('comment', `${published}.Comment`, 'Comment on a task.', onlyComment, { actionIdField: '' }),
  actionRoute('close', `${published}.Close`, 'Cancel a task.', onlyComment, { actionIdField: 'taskActionId' }),
  actionRoute('reassign', `${published}.Reassign`, 'Reassign the current step.', {
    ...stepAndComment,
    newStepUserIds: list(text(), usersMax),
  }),
  actionRoute('restart', `${published}.Restart`, 'Restart the same steps from the first one.', stepAndComment),
  actionRoute(
    'reset',
    `${published}.HardReset`,
    'Select the policy again, and start with its first step.',
    onlyComment,
  ),
  actionRoute('skip-step', `${published}.SkipStep`, 'Skip the current step.', stepAndComment, { needsStep: true }),
  actionRoute(
    'escalate',
    `${published}.EscalateToEmergencyAccess`,
    'Request emergency access instead, under its policy.',
    stepAndComment,
  ),
  actionRoute(
    'process',
    `${published}.ProcessNow`,
    'Check again who can decide the current step, and continue if possible.',
    { expandMask },
    { actionIdField: '' },
  ),
  actionRoute(
    'update-grant-duration',
    `${published}.UpdateGrantDuration`,
    'Change the requested duration. Earlier approvals are requested again.',
    { duration: duration(), expandMask },
  ),
  actionRoute(
    'update-request-data',
    `${published}.UpdateRequestData`,
    'Change the answers of a request. Earlier approvals are requested again.',
    { data: struct(), expandMask },
  ),
  actionRoute('retry-provisioning', `${published}.RetryProvisioning`, 'Retry failed provisioning.', stepAndComment),
  actionRoute(
    'provision-complete',
    'bailiwick.v1.TaskActions.ProvisionComplete',
    'Report that access was granted or revoked manually.',
    stepAndComment,
  ),
  actionRoute(
    'provision-errored',
    'bailiwick.v1.TaskActions.ProvisionErrored',
    'Report that access could not be granted or revoked.',
    stepAndComment,
  ),
  actionRoute(
    'provision-cancelled',
    'bailiwick.v1.TaskActions.ProvisionCancelled',
    'Report that access will not be granted or revoked.',
    stepAndComment,
  ),
]

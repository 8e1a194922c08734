import { Alert, Badge, Button, Group, Text, Textarea } from '@mantine/core'
import { IconAlertTriangle, IconClipboardList } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { taskActionsComment, taskGet, taskWhyGet } from '#client/api/operations.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { EntitlementName } from '../../parts/entitlement-name.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ChangePlan } from './change-plan.tsx'
import { taskReads } from './reads.ts'
import { RouteRail } from './route-rail.tsx'
import { may, type SeenTask, seenTask, stuckWhy } from './seen-task.ts'
import { StandingBadge } from './standing-badge.tsx'
import { TaskActions } from './task-actions.tsx'
import { answerWords, questionsOf } from './task-form.ts'
import { DenialNote, TaskHistory } from './task-history.tsx'
import classes from './task-page.module.css'
import { kindWords, lengthWords, outcomeOf, targetName, titleOf } from './words.ts'

/** One task: what is requested, what the caller can do with it, its route, and its history. */
export function TaskPage(): ReactNode {
  const { taskId = '' } = useParams({ strict: false })
  const session = useSession()
  const { data, error, refetch } = useQuery(read(taskGet, { path: { id: taskId } }))
  const seen = data ? seenTask(data.taskView, data) : null
  const isMine = seen?.task.createdByUserId === session.user?.id || seen?.task.userId === session.user?.id
  const above =
    seen && may(seen, 'APPROVE')
      ? [{ label: 'Inbox', to: '/decide' }]
      : isMine
        ? [{ label: 'My requests', to: '/requests' }]
        : session.may('tasks.read')
          ? [{ label: 'All tasks', to: '/tasks' }]
          : [{ label: 'Inbox', to: '/decide' }]
  if (error)
    return (
      <Page title="Task" above={[{ label: 'Home', to: '/' }]}>
        <ErrorNote error={error} title="This task cannot be shown" retry={() => void refetch()} />
      </Page>
    )
  return (
    <Page
      title={seen ? titleOf(seen) : null}
      above={above}
      actions={
        seen && (
          <Group gap="xs">
            {seen.task.emergencyAccess && <Badge color="red">Emergency</Badge>}
            <StandingBadge seen={seen} />
          </Group>
        )
      }
    >
      {seen && <Shown seen={seen} />}
    </Page>
  )
}

function Shown({ seen }: { seen: SeenTask }): ReactNode {
  const { task, nameOf } = seen
  const why = stuckWhy(seen)
  const explained = useQuery(read(taskWhyGet, { path: { id: task.id } })).data
  const instructions = task.policy?.current?.provision?.provision?.provisionPolicy?.manual?.instructions
  return (
    <div className={classes.halves}>
      <div>
        {why && (
          <Alert color="red" mb="md" title="This request is stuck" icon={<IconAlertTriangle size={18} aria-hidden />}>
            {why} A request administrator can reassign or skip the step, or check again once the cause is fixed.
          </Alert>
        )}
        {task.state === 'TASK_STATE_CLOSED' && outcomeOf(task) === 'DENIED' && <DenialNote seen={seen} />}
        <FirstPanel title="Request">
          <RequestFacts seen={seen} />
          {task.description && seen.kind !== 'change' && (
            <Text mt="md" style={{ whiteSpace: 'pre-line' }}>
              {task.description}
            </Text>
          )}
          {may(seen, 'PROVISION_COMPLETE') && (
            <Alert mt="md" title="Provision this in the app" icon={<IconClipboardList size={18} aria-hidden />}>
              <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
                {instructions ||
                  `${seen.kind === 'grant' ? 'Grant' : 'Revoke'} ${targetName(seen)} ${seen.kind === 'grant' ? 'to' : 'from'} ${nameOf(task.userId)}, then mark it as done.`}
              </Text>
            </Alert>
          )}
        </FirstPanel>
        {seen.kind === 'change' && (
          <FirstPanel title="Changes">
            <ChangePlan taskId={task.id} />
          </FirstPanel>
        )}
        <FirstPanel title="Actions">
          <TaskActions seen={seen} whyNotMe={explained?.steps.find(({ isOpen }) => isOpen)?.whyNotMe ?? ''} />
        </FirstPanel>
        <Panel title="History">
          {may(seen, 'COMMENT') && <CommentField taskId={task.id} />}
          <TaskHistory seen={seen} />
        </Panel>
      </div>
      <div>
        <FirstPanel title="Steps">
          <RouteRail seen={seen} explained={explained} />
        </FirstPanel>
      </div>
    </div>
  )
}

const FirstPanel = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <Panel title={title} isFirst>
    {children}
  </Panel>
)

function RequestFacts({ seen }: { seen: SeenTask }): ReactNode {
  const { task, app, kind, nameOf } = seen
  const session = useSession()
  const person = (id: string): ReactNode => (
    <Named isQuiet label={nameOf(id)} to={session.may('users.read') && id ? `/users/${id}` : undefined} />
  )
  const labels = new Map(questionsOf(task).map(({ name, displayName }) => [name, displayName || name]))
  return (
    <Facts
      facts={[
        ['Task', `#${task.numericId}`],
        ['Kind', kindWords(seen)],
        [
          'Entitlement',
          seen.entitlementId !== '' &&
            (session.may('entitlements.read') ? (
              <EntitlementName key="e" appId={seen.appId} entitlementId={seen.entitlementId} />
            ) : (
              targetName(seen)
            )),
        ],
        ['App', app?.displayName],
        ['For', task.userId !== '' && kind !== 'change' && person(task.userId)],
        ['Requested by', (task.createdByUserId !== task.userId || kind === 'change') && person(task.createdByUserId)],
        ['Requested', task.createdAt && <Moment at={task.createdAt} key="at" />],
        ['Duration', kind === 'grant' && lengthWords(task.type?.grant?.grantDuration)],
        ...Object.entries(task.data ?? {}).map(
          ([name, value]) => [labels.get(name) ?? name, answerWords(value)] as const,
        ),
      ]}
    />
  )
}

const commentMax = 10_000

function CommentField({ taskId }: { taskId: string }): ReactNode {
  const [comment, setComment] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const say = useChange(taskActionsComment, {
    changes: taskReads,
    done: 'Commented',
    onDone: () => {
      setComment('')
      // The button is removed with the text.
      field.current?.focus()
    },
  })
  return (
    <form
      className={classes.say}
      onSubmit={(event) => {
        event.preventDefault()
        if (comment.trim()) say.mutate({ path: { task_id: taskId }, body: { comment: comment.trim() } })
      }}
    >
      <Textarea
        ref={field}
        label="Comment"
        autosize
        minRows={1}
        maxRows={8}
        maxLength={commentMax}
        value={comment}
        onChange={({ currentTarget: { value } }) => setComment(value)}
      />
      <ErrorNote error={say.error} />
      {comment.trim() && (
        <Group justify="flex-end" mt="xs">
          <Button type="submit" size="xs" loading={say.isPending}>
            Add comment
          </Button>
        </Group>
      )}
    </form>
  )
}

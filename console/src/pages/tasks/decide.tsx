import { Alert, Anchor, Button, Group, List, Progress, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { taskActionsApprove, taskActionsDeny } from '#client/api/operations.ts'
import { ApiError } from '#client/api-error.ts'
import { call } from '../../client/call.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ChangePlan } from './change-plan.tsx'
import { Consequence } from './consequence.tsx'
import { taskReads } from './reads.ts'
import { may, type SeenTask } from './seen-task.ts'
import { aboutWords, reasonOf } from './task-columns.tsx'
import { counted, titleOf } from './words.ts'

export type Decision = 'approve' | 'deny'

const looks = {
  approve: {
    verb: 'Approve',
    doing: 'Approving',
    done: 'Approved',
    action: 'APPROVE',
    color: 'ink',
    operation: taskActionsApprove,
  },
  deny: { verb: 'Deny', doing: 'Denying', done: 'Denied', action: 'DENY', color: 'red.8', operation: taskActionsDeny },
} as const

const needsReason = ({ task }: SeenTask, decision: Decision): boolean => {
  const approval = task.policy?.current?.approval?.approval
  return (decision === 'approve' ? approval?.requireApprovalReason : approval?.requireDenialReason) ?? false
}

const atOnce = 4
const triesMax = 4
const pauseMs = 500
const shownMax = 8
const commentMax = 10_000

/** The API's own words, but for who was quicker: it names the step by its id, which says nothing in a list. */
const whyNot = (error: unknown): string =>
  error instanceof ApiError && error.reason === 'TASK_STEP_NOT_CURRENT'
    ? 'it was already decided or closed, so nothing was changed.'
    : (error as Error).message

/** The server has more to do than it can just now: it says so before it does anything. */
const isBusy = (error: unknown): boolean => error instanceof ApiError && (error.status === 429 || error.status === 503)

async function decideOne(
  operation: (typeof looks)[Decision]['operation'],
  seen: SeenTask,
  comment: string,
): Promise<void> {
  // What was seen goes along: what has changed since is not decided.
  const { id, policy, revision } = seen.task
  const input = { path: { task_id: id }, body: { policyStepId: policy?.current?.id ?? '', comment, revision } }
  for (let tries = 1; ; tries++)
    try {
      await call(operation, input)
      return
    } catch (error) {
      if (!isBusy(error) || tries === triesMax) throw error
      await new Promise((done) => setTimeout(done, pauseMs * tries))
    }
}

type Failed = { seen: SeenTask; why: string }
type DecideProps = {
  tasks: readonly SeenTask[]
  decision: Decision
  onClose: () => void
  /** Told of those that were tried, by id. */
  onDecided: (ids: readonly string[]) => void
}

/** Decides one task or several, with one comment, and tells of each that could not be decided why not. */
export function Decide({ tasks, decision, onClose, onDecided }: DecideProps): ReactNode {
  const client = useQueryClient()
  const [comment, setComment] = useState('')
  const [isPending, setPending] = useState(false)
  const [failed, setFailed] = useState<readonly Failed[] | null>(null)
  const [doneCount, setDoneCount] = useState(0)
  const { verb, done, action, color, operation } = looks[decision]
  const decidable = tasks.filter((seen) => may(seen, action))
  const others = tasks.filter((seen) => !may(seen, action))
  const isReasonNeeded = decidable.some((seen) => needsReason(seen, decision))

  const [triedCount, setTriedCount] = useState(0)
  const isStopped = useRef(false)

  const decideAll = async (): Promise<void> => {
    setPending(true)
    const waiting = [...decidable]
    const decided: string[] = []
    const refused: Failed[] = []
    const work = async (): Promise<void> => {
      for (let seen = waiting.shift(); seen && !isStopped.current; seen = waiting.shift()) {
        try {
          await decideOne(operation, seen, comment.trim())
          decided.push(seen.task.id)
        } catch (error) {
          refused.push({ seen, why: whyNot(error) })
        }
        setTriedCount(decided.length + refused.length)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    await Promise.all(taskReads.map(({ id }) => client.invalidateQueries({ queryKey: [id] })))
    setPending(false)
    // Those that were refused are named, and not tried again by the next click. Those that were not tried stay selected.
    onDecided([...decided, ...refused.map(({ seen }) => seen.task.id)])
    if (refused.length === 0) {
      const rest = decidable.length - decided.length
      notifications.show({
        message: `${done} ${counted(decided.length, 'request')}${rest > 0 ? `. ${rest.toLocaleString()} were not changed` : ''}`,
        color: 'teal',
      })
      onClose()
      return
    }
    setDoneCount(decided.length)
    setFailed(refused)
  }

  if (isPending && decidable.length > 1)
    return (
      <Dialog
        opened
        isFirm
        onClose={onClose}
        title={`${looks[decision].doing} ${counted(decidable.length, 'request')}`}
      >
        <Stack>
          <Progress
            value={(100 * triedCount) / decidable.length}
            aria-label={`${looks[decision].doing} requests`}
            color={color}
            size="lg"
          />
          <Text size="sm" role="status">
            {triedCount.toLocaleString()} of {decidable.length.toLocaleString()}
          </Text>
          <Group justify="flex-end">
            <Button
              variant="default"
              data-autofocus
              onClick={() => {
                isStopped.current = true
              }}
            >
              Stop
            </Button>
          </Group>
        </Stack>
      </Dialog>
    )

  if (failed)
    return (
      <Dialog opened onClose={onClose} title={`${done} ${doneCount} of ${doneCount + failed.length}`}>
        <Stack>
          <Alert
            color="red"
            role="alert"
            title={`${counted(failed.length, 'request')} could not be decided`}
            icon={<IconAlertTriangle size={18} aria-hidden />}
          >
            <List size="sm" spacing="xs">
              {failed.map(({ seen, why }) => (
                <List.Item key={seen.task.id}>
                  <Anchor component={Link} to={`/tasks/${seen.task.numericId}`} size="sm">
                    {titleOf(seen)}
                  </Anchor>
                  : {why}
                </List.Item>
              ))}
            </List>
          </Alert>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus>
              Close
            </Button>
          </Group>
        </Stack>
      </Dialog>
    )

  return (
    <Dialog
      opened
      onClose={onClose}
      title={
        decidable.length === 1 && decidable[0]
          ? `${verb} ${decidable[0].kind === 'change' ? 'this change' : titleOf(decidable[0])}?`
          : `${verb} ${counted(decidable.length, 'request')}?`
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void decideAll()
        }}
      >
        <Stack>
          {decidable.length > 1 && (
            <List size="sm">
              {decidable.slice(0, shownMax).map((seen) => (
                <List.Item key={seen.task.id}>{titleOf(seen)}</List.Item>
              ))}
              {decidable.length > shownMax && <List.Item>and {decidable.length - shownMax} others</List.Item>}
            </List>
          )}
          {decidable.length === 1 && decidable[0] && decidable[0].kind !== 'change' && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {aboutWords(decidable[0])}
              {reasonOf(decidable[0]) && `: “${reasonOf(decidable[0])}”`}
            </Text>
          )}
          {decidable.length === 1 && decidable[0]?.kind === 'change' && <ChangePlan taskId={decidable[0].task.id} />}
          {decidable.length === 1 && decidable[0] && <Consequence seen={decidable[0]} decision={decision} />}
          {others.length > 0 && (
            <Text size="sm" c="dimmed">
              {counted(others.length, 'selected task')} cannot be {decision === 'approve' ? 'approved' : 'denied'} here
              and will not be changed: they need provisioning or answers first. Open each task to see what it needs.
            </Text>
          )}
          <Textarea
            label={isReasonNeeded ? 'Reason' : 'Comment'}
            description={
              isReasonNeeded
                ? 'The policy requires a reason. It is shown to everyone who sees the task.'
                : 'Optional. It is shown to everyone who sees the task.'
            }
            required={isReasonNeeded}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={commentMax}
            value={comment}
            onChange={({ currentTarget: { value } }) => setComment(value)}
            {...(isReasonNeeded && { 'data-autofocus': true })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              color={color}
              loading={isPending}
              disabled={decidable.length === 0 || (isReasonNeeded && comment.trim() === '')}
              {...(!isReasonNeeded && { 'data-autofocus': true })}
            >
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

import { Alert, Anchor, Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { ChangePlan } from './change-plan.tsx'
import { CommentField } from './comment-field.tsx'
import { Consequence } from './consequence.tsx'
import { type Decision, type Failed, looks, useDeciding } from './deciding.ts'
import { may, type SeenTask } from './seen-task.ts'
import { aboutWords, reasonOf } from './task-columns.tsx'
import { counted, titleOf } from './words.ts'

const needsReason = ({ task }: SeenTask, decision: Decision): boolean => {
  const approval = task.policy?.current?.approval?.approval
  return (decision === 'approve' ? approval?.requireApprovalReason : approval?.requireDenialReason) ?? false
}

const shownMax = 8

type DecideProps = {
  tasks: readonly SeenTask[]
  decision: Decision
  onClose: () => void
  /** Called with the ids of the tasks that were tried. */
  onDecided: (ids: readonly string[]) => void
}

/** Decides one task or several, with one comment, and shows why the others could not be decided. */
export function Decide({ tasks, decision, onClose, onDecided }: DecideProps): ReactNode {
  const [comment, setComment] = useState('')
  const { verb, done, action, color } = looks[decision]
  const decidable = tasks.filter((seen) => may(seen, action))
  const others = tasks.filter((seen) => !may(seen, action))
  const isReasonNeeded = decidable.some((seen) => needsReason(seen, decision))

  const { decideAll, stop, isPending, triedCount, failed, doneCount } = useDeciding(decision, { onClose, onDecided })

  if (isPending && decidable.length > 1)
    return <Deciding decision={decision} tried={triedCount} count={decidable.length} onStop={stop} onClose={onClose} />

  if (failed)
    return (
      <NotDecided title={`${done} ${doneCount} of ${doneCount + failed.length}`} failed={failed} onClose={onClose} />
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
          void decideAll(decidable, comment.trim())
        }}
      >
        <Stack>
          <WhatIsDecided tasks={decidable} decision={decision} />
          {others.length > 0 && (
            <Text size="sm" c="dimmed">
              {counted(others.length, 'selected task')} cannot be {decision === 'approve' ? 'approved' : 'denied'} here
              and will not be changed: they need provisioning or answers first. Open each task to see what it needs.
            </Text>
          )}
          <CommentField
            isRequired={isReasonNeeded}
            description={`${isReasonNeeded ? 'The policy requires a reason.' : 'Optional.'} It is shown to everyone who sees the task.`}
            isFirst={isReasonNeeded}
            value={comment}
            onChange={setComment}
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

type DecidingProps = { decision: Decision; tried: number; count: number; onStop: () => void; onClose: () => void }

const Deciding = ({ decision, tried, count, onStop, onClose }: DecidingProps): ReactNode => (
  <Dialog opened isFirm onClose={onClose} title={`${looks[decision].doing} ${counted(count, 'request')}`}>
    <Stack>
      <Progress
        value={(100 * tried) / count}
        aria-label={`${looks[decision].doing} requests`}
        color={looks[decision].color}
        size="lg"
      />
      <Text size="sm" role="status">
        {tried.toLocaleString()} of {count.toLocaleString()}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={onStop}>
          Stop
        </Button>
      </Group>
    </Stack>
  </Dialog>
)

type NotDecidedProps = { title: string; failed: readonly Failed[]; onClose: () => void }

const NotDecided = ({ title, failed, onClose }: NotDecidedProps): ReactNode => (
  <Dialog opened onClose={onClose} title={title}>
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

/** The names of several tasks; of one task, its details. */
function WhatIsDecided({ tasks, decision }: { tasks: readonly SeenTask[]; decision: Decision }): ReactNode {
  const only = tasks.length === 1 ? tasks[0] : undefined
  return (
    <>
      {tasks.length > 1 && (
        <List size="sm">
          {tasks.slice(0, shownMax).map((seen) => (
            <List.Item key={seen.task.id}>{titleOf(seen)}</List.Item>
          ))}
          {tasks.length > shownMax && <List.Item>and {tasks.length - shownMax} others</List.Item>}
        </List>
      )}
      {only && only.kind !== 'change' && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {aboutWords(only)}
          {reasonOf(only) && `: “${reasonOf(only)}”`}
        </Text>
      )}
      {only?.kind === 'change' && <ChangePlan taskId={only.task.id} />}
      {only && <Consequence seen={only} decision={decision} />}
    </>
  )
}

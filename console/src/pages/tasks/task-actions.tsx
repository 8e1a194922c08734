import { Button, Group, Text, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { User } from '../../api/types.ts'
import { problemOf } from '../../client/api-error.ts'
import { useChange } from '../../client/queries.ts'
import { Chosen } from '../../parts/chosen.tsx'
import { DurationField, isLength } from '../../parts/duration-field.tsx'
import { type Answers, FormFields, standardAnswers, unanswered } from '../../parts/form-fields.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'
import { type TaskAction, taskActions } from './actions.ts'
import { taskReads } from './reads.ts'
import { may, type SeenTask } from './seen-task.ts'
import { questionsOf } from './task-form.ts'

const looks = {
  main: { variant: 'filled' },
  danger: { variant: 'filled', color: 'red.8' },
  plain: { variant: 'default' },
} as const

/** All that the caller can do with a task now, as buttons. */
export function TaskActions({ seen }: { seen: SeenTask }): ReactNode {
  const [doing, setDoing] = useState<TaskAction | null>(null)
  const isAsked = (action: TaskAction): boolean => action.asks !== 'answers' || questionsOf(seen.task).length > 0
  const offered = taskActions.filter((action) => may(seen, action.type) && isAsked(action))
  if (offered.length === 0)
    return (
      <Text size="sm" c="dimmed">
        There is nothing for you to decide here now. You can comment below.
      </Text>
    )
  return (
    <>
      <Group gap="xs">
        {offered.map((action) => (
          <Button
            key={action.type}
            {...looks[action.look]}
            leftSection={<action.icon size={16} aria-hidden />}
            onClick={() => setDoing(action)}
          >
            {action.label}
          </Button>
        ))}
      </Group>
      {doing && <ActionForm key={doing.type} action={doing} seen={seen} onClose={() => setDoing(null)} />}
    </>
  )
}

const commentMax = 10_000

function ActionForm({ action, seen, onClose }: { action: TaskAction; seen: SeenTask; onClose: () => void }): ReactNode {
  const { task, entitlement } = seen
  const questions = questionsOf(task)
  const max = entitlement?.durationGrant ?? null
  const [comment, setComment] = useState('')
  const [people, setPeople] = useState<readonly User[]>([])
  const [duration, setDuration] = useState(task.type?.grant?.grantDuration ?? max)
  const [answers, setAnswers] = useState<Answers>({ ...standardAnswers(questions), ...task.data })
  const change = useChange(action.operation, { changes: taskReads, done: action.done, onDone: onClose })
  const { error } = change
  const approval = task.policy?.current?.approval?.approval
  const isReasonNeeded = action.isReasonNeeded ?? (approval ? (action.needsReason?.(approval) ?? false) : false)
  const isIncomplete =
    (isReasonNeeded && comment.trim() === '') ||
    (action.asks === 'people' && people.length === 0) ||
    (action.asks === 'duration' && (duration === null || !isLength(duration, max))) ||
    (action.asks === 'answers' && unanswered(questions, answers).length > 0)
  return (
    <FormModal
      opened
      onClose={onClose}
      title={action.title}
      verb={action.label}
      isIncomplete={isIncomplete}
      isPending={change.isPending}
      error={error}
      fields={['comment', 'duration', 'newStepUserIds', ...questions.map(({ name }) => `data.${name}`)]}
      onSubmit={() =>
        change.mutate({
          path: { task_id: task.id },
          body: {
            ...(action.sendsStep && { policyStepId: task.policy?.current?.id ?? '' }),
            ...(!action.isSilent && { comment: comment.trim() }),
            ...(action.asks === 'people' && { newStepUserIds: people.map(({ id }) => id) }),
            ...(action.asks === 'duration' && { duration }),
            ...(action.asks === 'answers' && { data: answers }),
          },
        })
      }
    >
      <Text size="sm">{action.about}</Text>
      {action.asks === 'people' && (
        <>
          <UserPicker
            label="People"
            isRequired
            without={people.map(({ id }) => id)}
            onPick={(user) => setPeople((before) => [...before, user])}
            error={problemOf(error, 'newStepUserIds')}
          />
          <Chosen
            items={people}
            keyOf={({ id }) => id}
            nameOf={({ displayName }) => displayName}
            onRemove={({ id }) => setPeople((before) => before.filter((each) => each.id !== id))}
          />
        </>
      )}
      {action.asks === 'duration' && (
        <DurationField
          label="Duration"
          value={duration}
          onChange={setDuration}
          max={max}
          error={problemOf(error, 'duration')}
        />
      )}
      {action.asks === 'answers' && (
        <FormFields
          fields={questions}
          answers={answers}
          onChange={setAnswers}
          problem={(name) => problemOf(error, `data.${name}`) ?? problemOf(error, name)}
        />
      )}
      {!action.isSilent && (
        <Textarea
          label={isReasonNeeded ? 'Reason' : 'Comment'}
          description={
            isReasonNeeded
              ? 'Required. Everyone who sees the task sees it.'
              : 'Optional. Everyone who sees the task sees it.'
          }
          required={isReasonNeeded}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={commentMax}
          {...(action.asks === undefined && { 'data-autofocus': true })}
          value={comment}
          onChange={({ currentTarget: { value } }) => setComment(value)}
          error={problemOf(error, 'comment')}
        />
      )}
    </FormModal>
  )
}

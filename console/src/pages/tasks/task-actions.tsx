import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { taskInboxListReports } from '#client/api/operations.ts'
import type { User } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Chosen } from '../../parts/chosen.tsx'
import { DurationField, isLength } from '../../parts/duration-field.tsx'
import { type Answers, FormFields, standardAnswers, unanswered } from '../../parts/form-fields.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'
import { type TaskAction, taskActions } from './actions.ts'
import { CommentField } from './comment-field.tsx'
import { Consequence } from './consequence.tsx'
import { taskReads } from './reads.ts'
import { may, type SeenTask } from './seen-task.ts'
import { questionsOf } from './task-form.ts'
import { UndoButton, useUndo } from './undo.tsx'

const looks = {
  main: { variant: 'filled' },
  danger: { variant: 'filled', color: 'red.8' },
  plain: { variant: 'default' },
} as const

/** Everything that the caller can do with a task now, as buttons. */
export function TaskActions({ seen, whyNotMe }: { seen: SeenTask; whyNotMe: string }): ReactNode {
  const [doing, setDoing] = useState<TaskAction | null>(null)
  const isAsked = (action: TaskAction): boolean => action.asks !== 'answers' || questionsOf(seen.task).length > 0
  const offered = taskActions.filter((action) => may(seen, action.type) && isAsked(action))
  const mayUndo = useUndo(seen)
  if (offered.length === 0 && !mayUndo)
    return (
      <Text size="sm" c="dimmed">
        There is nothing for you to decide now. {whyNotMe}
        {may(seen, 'COMMENT') && ' You can comment below.'}
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
        {mayUndo && <UndoButton seen={seen} />}
      </Group>
      {doing && <ActionForm key={doing.type} action={doing} seen={seen} onClose={() => setDoing(null)} />}
    </>
  )
}

function ActionForm({ action, seen, onClose }: { action: TaskAction; seen: SeenTask; onClose: () => void }): ReactNode {
  const { task, entitlement } = seen
  const questions = questionsOf(task)
  const max = entitlement?.durationGrant ?? null
  const [comment, setComment] = useState('')
  const [people, setPeople] = useState<readonly Person[]>([])
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
      title={seen.kind === 'change' ? action.title.replace('this request', 'this change') : action.title}
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
            ...(action.sendsRevision && { revision: task.revision }),
            ...(!action.isSilent && { comment: comment.trim() }),
            ...(action.asks === 'people' && { newStepUserIds: people.map(({ id }) => id) }),
            ...(action.asks === 'duration' && { duration }),
            ...(action.asks === 'answers' && { data: answers }),
          },
        })
      }
    >
      {action.decision ? <Consequence seen={seen} decision={action.decision} /> : <Text size="sm">{action.about}</Text>}
      {action.asks === 'people' && (
        <PeopleField seen={seen} people={people} onChange={setPeople} error={problemOf(error, 'newStepUserIds')} />
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
        <CommentField
          isRequired={isReasonNeeded}
          description={`${isReasonNeeded ? 'Required' : 'Optional'}. Visible to everyone who can see the task.`}
          isFirst={action.asks === undefined}
          value={comment}
          onChange={setComment}
          error={problemOf(error, 'comment')}
        />
      )}
    </FormModal>
  )
}

type PeopleFieldProps = {
  seen: SeenTask
  people: readonly Person[]
  onChange: (people: readonly Person[]) => void
  error: string | undefined
}

const PeopleField = ({ seen, people, onChange, error }: PeopleFieldProps): ReactNode => (
  <>
    <PersonField
      seen={seen}
      without={people.map(({ id }) => id)}
      onPick={(person) => onChange([...people, person])}
      error={error}
    />
    <Chosen
      items={people}
      keyOf={({ id }) => id}
      nameOf={({ displayName }) => displayName}
      onRemove={({ id }) => onChange(people.filter((each) => each.id !== id))}
    />
  </>
)

type Person = Pick<User, 'id' | 'displayName'>
type PersonFieldProps = {
  seen: SeenTask
  without: readonly string[]
  onPick: (person: Person) => void
  error: string | undefined
}

/** Who should decide instead: found by a search, or among the people whom the caller sees, if they may not search. */
function PersonField({ seen, without, onPick, error }: PersonFieldProps): ReactNode {
  const { may: mayDo, user } = useSession()
  const maySearch = mayDo('users.names.read') || mayDo('users.read')
  const allowed = seen.task.policy?.current?.approval?.approval?.allowedReassignees ?? []
  const reports = useQuery({ ...read(taskInboxListReports, {}), enabled: !maySearch && allowed.length === 0 }).data
    ?.list
  if (allowed.length === 0 && maySearch)
    return <UserPicker label="People" isRequired without={without} onPick={onPick} error={error} />
  const known =
    allowed.length > 0
      ? allowed.map((id) => ({ id, displayName: seen.nameOf(id) }))
      : [...seen.people.map(({ id, displayName }) => ({ id, displayName })), ...(reports ?? [])]
  const offered = new Map(
    known
      .filter(({ id }) => id !== user?.id && id !== seen.task.userId && !without.includes(id))
      .map((person) => [person.id, person]),
  )
  return (
    <NativeSelect
      label="People"
      required
      description={
        allowed.length > 0 ? 'The policy allows only these.' : 'People involved in the task, and your reports.'
      }
      value=""
      onChange={({ currentTarget: { value } }) => {
        const person = offered.get(value)
        if (person) onPick(person)
      }}
      data={[
        { value: '', label: offered.size > 0 ? 'Choose…' : 'Nobody else to choose' },
        ...[...offered.values()].map(({ id, displayName }) => ({ value: id, label: displayName })),
      ]}
      error={error}
    />
  )
}

import { Alert, Anchor, Badge, Button, Group, List, NativeSelect, Text } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type {
  PlanPolicyResponse,
  Policy,
  PolicyPlanChange,
  PolicyPlanPerson,
  PolicyPlanTask,
} from '#client/api/types.ts'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'
import { counted } from '../tasks/words.ts'
import type { Draft } from './draft.ts'
import { usePolicyPlan } from './plan.ts'
import classes from './policy-plan.module.css'

const lengths = [7, 30, 90] as const

/** What the draft would have done with the requests of the last days. Nothing is saved. */
export function PolicyPlanPanel({ policy, draft }: { policy: Policy | null; draft: Draft }): ReactNode {
  const [days, setDays] = useState<number>(30)
  const [isOfAll, setOfAll] = useState(policy === null)
  const plan = usePolicyPlan(draft, isOfAll ? '' : (policy?.id ?? ''), days, true)
  const { reply, isStale, error, problems } = plan
  return (
    <Panel title="Plan" about="Simulates past requests with this draft and the current people. Nothing is changed.">
      <Group gap="sm" grow mb="md" align="flex-end">
        <NativeSelect
          label="Requests from the last"
          value={String(days)}
          onChange={({ currentTarget: { value } }) => setDays(Number(value))}
          data={lengths.map((length) => ({ value: String(length), label: `${length} days` }))}
        />
        {policy && (
          <NativeSelect
            label="Which requests"
            value={isOfAll ? 'all' : 'policy'}
            onChange={({ currentTarget: { value } }) => setOfAll(value === 'all')}
            data={[
              { value: 'policy', label: 'Under this policy' },
              { value: 'all', label: 'All of this kind' },
            ]}
          />
        )}
      </Group>
      {problems.length > 0 ? (
        <Alert color="orange" title="This draft cannot be saved yet">
          <List size="sm">
            {problems.map((problem) => (
              <List.Item key={problem}>{problem}</List.Item>
            ))}
          </List>
        </Alert>
      ) : error ? (
        <ErrorNote error={error} title="The plan failed" retry={plan.retry} />
      ) : (
        <div className={classes.plan} aria-live="polite" aria-busy={isStale || !reply}>
          {reply ? (
            reply.tasksReplayed === 0 ? (
              <Nothing isOfAll={isOfAll} days={days} onAll={() => setOfAll(true)} />
            ) : (
              <Found plan={reply} />
            )
          ) : (
            <Text size="sm" c="dimmed">
              Simulating requests…
            </Text>
          )}
        </div>
      )}
    </Panel>
  )
}

type NothingProps = { isOfAll: boolean; days: number; onAll: () => void }

const Nothing = ({ isOfAll, days, onAll }: NothingProps): ReactNode => (
  <EmptyNote
    icon={IconArrowsDiff}
    title="No requests to simulate"
    action={
      !isOfAll && (
        <Button size="xs" variant="default" onClick={onAll}>
          Simulate all requests of this kind
        </Button>
      )
    }
  >
    {isOfAll
      ? `There was no request of this kind in the last ${days} days.`
      : `No request used this policy in the last ${days} days.`}
  </EmptyNote>
)

function Found({ plan }: { plan: PlanPolicyResponse }): ReactNode {
  const before = plan.weeks.reduce((sum, week) => sum + week.decisionsBefore, 0)
  const after = plan.weeks.reduce((sum, week) => sum + week.decisions, 0)
  return (
    <>
      <dl className={classes.counts}>
        <Count label="Same steps" count={plan.tasksSame} tone="same" />
        <Count label="Different steps" count={plan.tasksDifferent} tone="other" />
        <Count label="Stuck" count={plan.tasksStuck} tone="bad" />
        <Count label="Refused" count={plan.tasksRefused} tone="bad" />
      </dl>
      <Text size="sm" c="dimmed">
        {counted(plan.tasksReplayed, 'request')} replayed.
        {!plan.complete && ' There are more: only the latest were simulated.'}
      </Text>
      <h3 className={classes.heading}>Requests with different steps</h3>
      {plan.tasks.length === 0 ? (
        <Text size="sm">None: every request would have taken the same steps with the same people.</Text>
      ) : (
        <Some all={plan.tasks} keyOf={({ taskId }) => taskId} label="requests">
          {(task) => <Differs task={task} />}
        </Some>
      )}
      <h3 className={classes.heading}>Number of decisions</h3>
      <Text size="sm" mb="xs">
        {before === after
          ? `People would have been asked ${timesOf(after)}, as before.`
          : `People would have been asked ${timesOf(after)} instead of ${before.toLocaleString()}.`}
      </Text>
      {plan.people.length > 0 && <People people={plan.people} count={plan.peopleCount} />}
    </>
  )
}

const timesOf = (count: number): string => counted(count, 'time')

type CountProps = { label: string; count: number; tone: 'same' | 'other' | 'bad' }

const Count = ({ label, count, tone }: CountProps): ReactNode => (
  <div className={classes.count} data-tone={count === 0 ? 'none' : tone}>
    <dt>{label}</dt>
    <dd>{count.toLocaleString()}</dd>
  </div>
)

const shownFirst = 5

type SomeProps<Item> = {
  all: readonly Item[]
  keyOf: (item: Item) => string
  label: string
  children: (item: Item) => ReactNode
}

/** The first few; the others after a click. */
function Some<Item>({ all, keyOf, label, children }: SomeProps<Item>): ReactNode {
  const [isAll, setAll] = useState(false)
  return (
    <>
      <ul className={classes.list}>
        {(isAll ? all : all.slice(0, shownFirst)).map((item) => (
          <li key={keyOf(item)}>{children(item)}</li>
        ))}
      </ul>
      {!isAll && all.length > shownFirst && (
        <Button size="compact-sm" variant="subtle" mt={4} onClick={() => setAll(true)}>
          Show {all.length - shownFirst} more {label}
        </Button>
      )}
    </>
  )
}

const changeWords: Readonly<Partial<Record<PolicyPlanChange['kind'], readonly [label: string, color: string]>>> = {
  POLICY_PLAN_CHANGE_ADDED: ['Added', 'teal'],
  POLICY_PLAN_CHANGE_REMOVED: ['Removed', 'red'],
  POLICY_PLAN_CHANGE_CHANGED: ['Changed', 'grape'],
}
const endWords: Readonly<Record<string, string>> = {
  denied: 'It would have been denied.',
  stuck: 'It would have been stuck:',
  refused: 'It could not have been requested:',
}

const Differs = ({ task }: { task: PolicyPlanTask }): ReactNode => (
  <>
    <Anchor component={Link} to={`/tasks/${task.numericId}`} size="sm" fw={600}>
      {task.displayName}
    </Anchor>
    {task.changes.map(({ kind, place, step, otherPeople }) => {
      const [label, color] = changeWords[kind] ?? ['Changed', 'gray']
      return (
        <div key={`${kind} ${place} ${step}`} className={classes.change}>
          <Badge size="sm" color={color}>
            {label}
          </Badge>{' '}
          Step {place}: {step}
          {otherPeople && kind === 'POLICY_PLAN_CHANGE_CHANGED' && ' Other people decide.'}
        </div>
      )
    })}
    {endWords[task.end] && (
      <div className={classes.end}>
        {endWords[task.end]} {task.why}
      </div>
    )}
  </>
)

function People({ people, count }: { people: readonly PolicyPlanPerson[]; count: number }): ReactNode {
  const [isAll, setAll] = useState(false)
  const most = Math.max(...people.flatMap(({ decisions, decisionsBefore }) => [decisions, decisionsBefore]), 1)
  const shown = isAll ? people : people.slice(0, shownFirst)
  return (
    <>
      <table className={classes.people}>
        <caption className={classes.unseen}>Decisions of each person, before and under the draft</caption>
        <thead>
          <tr>
            <th scope="col">Person</th>
            <th scope="col">Before</th>
            <th scope="col">Draft</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ userId, displayName, decisionsBefore, decisions }) => (
            <tr key={userId}>
              <th scope="row">
                <Anchor component={Link} to={`/users/${userId}`} size="sm">
                  {displayName}
                </Anchor>
                <span className={classes.bar} style={{ inlineSize: `${(decisions / most) * 100}%` }} aria-hidden />
              </th>
              <td>{decisionsBefore.toLocaleString()}</td>
              <td data-more={decisions > decisionsBefore}>{decisions.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isAll && people.length > shownFirst && (
        <Button size="compact-sm" variant="subtle" mt={4} onClick={() => setAll(true)}>
          Show {people.length - shownFirst} more people
        </Button>
      )}
      {isAll && count > people.length && (
        <Text size="sm" c="dimmed" mt={4}>
          And {counted(count - people.length, 'other')} with fewer decisions.
        </Text>
      )}
    </>
  )
}

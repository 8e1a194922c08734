import { IconArrowBackUp, IconCheck, IconClock, IconDots, IconSend, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { PolicyStepInstance, TaskWhyResponse, TaskWhyStep } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { plannedStop } from './planned-stop.tsx'
import { Line, Rail, Said, type Stop } from './rail.tsx'
import { may, type SeenTask, stuckWhy } from './seen-task.ts'
import { endOf } from './step-end.ts'
import { RouteWhy, StepWhy } from './step-why.tsx'
import { peopleWords } from './task-columns.tsx'
import { conditionsOf, outcomeOf, standing, stepTitle } from './words.ts'

function pastStop(step: PolicyStepInstance, seen: SeenTask, why: TaskWhyStep | undefined): Stop {
  // Only the explanation of the task has undone decisions: the published API has no outcome for them.
  const isUndone = why?.outcome === 'undone'
  const { is, icon, word, by, at } = isUndone
    ? { is: 'over' as const, icon: IconArrowBackUp, word: 'Undone', by: why.endedByUserId, at: why.endedAt }
    : endOf(step)
  return {
    key: step.id,
    is,
    icon,
    title: stepTitle(step),
    word,
    ...(at !== null && { people: seen.nameOf(by), at }),
    more: (
      <>
        <Said>{step.provision?.errored?.description || step.accept?.acceptMessage || step.reject?.rejectMessage}</Said>
        {why && <StepWhy step={why} />}
      </>
    ),
  }
}

function currentStop(step: PolicyStepInstance, seen: SeenTask, why: TaskWhyStep | undefined, isOwn: boolean): Stop {
  const { task, nameOf } = seen
  const due =
    step.approval?.escalationInstance?.expiresAt ?? step.wait?.untilTime?.untilTime ?? step.wait?.timeout ?? null
  const stuck = stuckWhy(seen)
  return {
    key: step.id,
    is: stuck ? 'bad' : 'current',
    icon: stuck ? IconX : IconClock,
    title: stepTitle(step),
    word: stuck ? 'Stuck' : 'Now',
    ...(task.stepApproverIds.length > 0 && { people: peopleWords(task.stepApproverIds.map(nameOf)) }),
    ...(step.approval?.assignedAt && { at: step.approval.assignedAt }),
    more: (
      <>
        <Said>{stuck}</Said>
        {due && (
          <Line>
            {step.approval ? 'Escalates ' : 'Continues '}
            <RelativeTime at={due} />
          </Line>
        )}
        {step.wait?.condition && <Line>Until: {step.wait.condition.condition}</Line>}
        {why && why.peopleCount > 0 && !isOwn && <Line>{why.whyNotMe}</Line>}
        {why && <StepWhy step={why} />}
      </>
    ),
  }
}

const ends: Readonly<Record<SeenTask['kind'], string>> = {
  grant: 'Access granted',
  revoke: 'Access revoked',
  offboarding: 'Done',
  change: 'Change applied',
}

function stopsOf(seen: SeenTask, explained: TaskWhyResponse | undefined, isOwn: boolean): Stop[] {
  const { task, nameOf } = seen
  const { current = null, history = [], next = [] } = task.policy ?? {}
  const isOpen = task.state === 'TASK_STATE_OPEN'
  const why = stuckWhy(seen)
  const outcome = outcomeOf(task)
  const [word] = standing(seen)
  const about = task.type?.grant ?? task.type?.revoke ?? task.type?.offboarding
  const whyOf = (id: string) => explained?.steps.find(({ policyStepId }) => policyStepId === id)
  const isDone = ['GRANTED', 'REVOKED', 'DONE'].includes(outcome)
  return [
    {
      key: 'created',
      is: 'done',
      icon: IconSend,
      title: 'Requested',
      word: '',
      people: nameOf(task.createdByUserId),
      at: task.createdAt,
      more: explained && <RouteWhy rounds={explained.rounds} />,
    },
    ...history.map((step) => pastStop(step, seen, whyOf(step.id))),
    ...(current ? [currentStop(current, seen, whyOf(current.id), isOwn)] : []),
    ...next.map((step, place): Stop => {
      const planned = explained?.upcoming[place]
      const isStuck = place === 0 && !current && why !== ''
      if (planned)
        return plannedStop(isStuck ? { ...planned, happens: 'PLANNED_STEP_STUCK', stuckWhy: why } : planned, { step })
      return {
        key: `next ${place}`,
        is: isStuck ? 'bad' : 'future',
        icon: isStuck ? IconX : IconDots,
        title: stepTitle(step),
        word: isStuck ? 'Stuck' : 'Upcoming',
        more: (
          <>
            <Said>{isStuck ? why : undefined}</Said>
            {conditionsOf(step).map((each) => (
              <Line key={each}>{each}</Line>
            ))}
          </>
        ),
      }
    }),
    isOpen
      ? {
          key: 'end',
          is: 'future',
          icon: IconCheck,
          title: ends[seen.kind],
          word: 'Upcoming',
        }
      : {
          key: 'end',
          is: isDone ? 'done' : outcome === 'CANCELLED' || outcome === '' ? 'over' : 'bad',
          icon: isDone || outcome === '' ? IconCheck : IconX,
          title: word,
          word: 'Closed',
          at: about?.outcomeTime ?? null,
        },
  ]
}

type RouteRailProps = { seen: SeenTask; explained: TaskWhyResponse | undefined }

/** A task's route, with the reasons for it as far as they are known yet. */
export function RouteRail({ seen, explained }: RouteRailProps): ReactNode {
  const { user } = useSession()
  const { task, kind } = seen
  // People do not expect to decide their own requests.
  const isOwn = kind !== 'change' && task.userId === user?.id && !may(seen, 'APPROVE')
  return <Rail label="Steps of this request" stops={stopsOf(seen, explained, isOwn)} />
}

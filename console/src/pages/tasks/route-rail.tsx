import { IconArrowBackUp, IconCheck, IconClock, IconDots, IconSend, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { PolicyStepInstance, TaskWhyResponse } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { plannedStop } from './planned-stop.tsx'
import { type ProvisionTold, provisionedWords } from './provisioned.ts'
import { Line, Rail, Said, type Stop } from './rail.tsx'
import { may, type SeenTask, stuckWhy } from './seen-task.ts'
import { endOf } from './step-end.ts'
import { RouteWhy, StepWhy } from './step-why.tsx'
import { peopleWords } from './task-columns.tsx'
import { useTold } from './task-told.ts'
import { conditionsOf, outcomeOf, standing, stepTitle } from './words.ts'

type Told = { explained: TaskWhyResponse | undefined; provisioned: ProvisionTold }
type EndOfStop = Pick<Stop, 'is' | 'icon' | 'word'>

/** What became of a step that is over: by whom it was decided, or who or what made the change in the app. */
function endWords(step: PolicyStepInstance, seen: SeenTask, provisioned: ProvisionTold): Partial<Stop> & EndOfStop {
  const { is, icon, word, by, at } = endOf(step)
  if (!step.provision?.completed) return { is, icon, word, ...(at !== null && { people: seen.nameOf(by), at }) }
  const { what, after } = provisionedWords(seen, step, provisioned)
  return { is, icon, word: what, at, ...(after && { more: <Line>{after}</Line> }) }
}

function pastStop(step: PolicyStepInstance, seen: SeenTask, { explained, provisioned }: Told): Stop {
  const why = explained?.steps.find(({ policyStepId }) => policyStepId === step.id)
  // Only the explanation of the task has undone decisions: the published API has no outcome for them.
  const { more, ...end } =
    why?.outcome === 'undone'
      ? {
          ...{ is: 'over' as const, icon: IconArrowBackUp, word: 'Undone', at: why.endedAt, more: null },
          ...(why.endedAt !== null && { people: seen.nameOf(why.endedByUserId) }),
        }
      : endWords(step, seen, provisioned)
  return {
    key: step.id,
    ...end,
    title: stepTitle(step),
    more: (
      <>
        {more}
        <Said>{step.provision?.errored?.description || step.accept?.acceptMessage || step.reject?.rejectMessage}</Said>
        {why && <StepWhy step={why} />}
      </>
    ),
  }
}

type Connector = TaskWhyResponse['connectors'][number]

/** How far a connector that a step waits for has come. */
const connectorWords = ({ connectorName, state, error }: Connector): string => {
  if (state === 'queued') return `Waiting for the connector ${connectorName} to fetch it.`
  if (state === 'with the connector') return `Sent to the connector ${connectorName}.`
  if (state === 'unknown') return `Sent to the connector ${connectorName}. Its next sync shows whether the app has it.`
  return `The connector ${connectorName}: ${state}.${error && ` ${error}`}`
}

/** What a step waits for. */
function nowWord({ provision }: PolicyStepInstance): string {
  if (!provision) return 'Now'
  if (provision.provision?.assigned) return 'Waiting for a person'
  return provision.webhookId ? 'Waiting for the webhook' : 'Waiting for the connector'
}

function currentStop(step: PolicyStepInstance, seen: SeenTask, { explained }: Told, isOwn: boolean): Stop {
  const { task, nameOf } = seen
  const why = explained?.steps.find(({ policyStepId }) => policyStepId === step.id)
  const due =
    step.approval?.escalationInstance?.expiresAt ?? step.wait?.untilTime?.untilTime ?? step.wait?.timeout ?? null
  const stuck = stuckWhy(seen)
  return {
    key: step.id,
    is: stuck ? 'bad' : 'current',
    icon: stuck ? IconX : IconClock,
    title: stepTitle(step),
    word: stuck ? 'Stuck' : nowWord(step),
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
        {step.provision &&
          explained?.connectors.map((each) => <Line key={each.connectorId}>{connectorWords(each)}</Line>)}
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

function stopsOf(seen: SeenTask, told: Told, isOwn: boolean): Stop[] {
  const { explained } = told
  const { task, nameOf } = seen
  const { current = null, history = [], next = [] } = task.policy ?? {}
  const isOpen = task.state === 'TASK_STATE_OPEN'
  const why = stuckWhy(seen)
  const outcome = outcomeOf(task)
  const isOfAccess = seen.kind === 'grant' || seen.kind === 'revoke'
  const changed = isOfAccess ? { appName: seen.app?.displayName ?? '', by: told.provisioned.by } : null
  const [word] = standing(seen)
  const about = task.type?.grant ?? task.type?.revoke ?? task.type?.offboarding
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
    ...history.map((step) => pastStop(step, seen, told)),
    ...(current ? [currentStop(current, seen, told, isOwn)] : []),
    ...next.map((step, place): Stop => {
      const planned = explained?.upcoming[place]
      const isStuck = place === 0 && !current && why !== ''
      if (planned)
        return plannedStop(isStuck ? { ...planned, happens: 'PLANNED_STEP_STUCK', stuckWhy: why } : planned, {
          step,
          changed,
        })
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
  const { provisioned } = useTold(seen)
  const { task, kind } = seen
  // People do not expect to decide their own requests.
  const isOwn = kind !== 'change' && task.userId === user?.id && !may(seen, 'APPROVE')
  return <Rail label="Steps of this request" stops={stopsOf(seen, { explained, provisioned }, isOwn)} />
}

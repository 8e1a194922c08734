import { Alert, Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useRef } from 'react'
import { requestPlansPlan } from '#client/api/operations.ts'
import type { PlannedStep, PlanRequestRequest, RequestPlan } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import type { Sent } from '#client/operation.ts'
import { read } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { type Changed, isOnlyRecorded, plannedStop } from '../tasks/planned-stop.tsx'
import { Rail, type Stop } from '../tasks/rail.tsx'
import { Items, Why } from '../tasks/step-why.tsx'
import { counted, lengthWords } from '../tasks/words.ts'
import classes from './request-plan.module.css'

type Asked = Sent<PlanRequestRequest>

const typingMs = 300

export const isPlanChanged = (error: unknown): boolean => error instanceof ApiError && error.reason === 'PLAN_CHANGED'

/** What a request would lead to; read once for each request, so that it does not change while it is shown. */
export function useRequestPlan(asked: Asked, isAsked: boolean) {
  const text = JSON.stringify(asked)
  const [settledText] = useDebouncedValue(text, typingMs)
  const before = useRef<RequestPlan | null>(null)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    // The reason is no part of the plan, and is required of some requests: any words do.
    ...read(requestPlansPlan, { body: { ...(JSON.parse(settledText) as Asked), description: 'Plan' } }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const plan = error ? null : (data?.plan ?? null)
  return {
    asked,
    plan,
    error,
    /** Whether the shown plan is not yet that of the current request. */
    isPending: isAsked && !error && (text !== settledText || isFetching || isPlaceholderData || !plan),
    /** The one before it was read again. */
    before: before.current,
    again: () => {
      before.current = plan
      return refetch()
    },
  }
}

type Planned = ReturnType<typeof useRequestPlan>

const sources: Readonly<Record<string, string>> = {
  manual: 'granted manually',
  import: 'imported',
  rule: 'granted by an automation rule',
  profile: 'part of an access profile',
  request: 'granted by a request',
  directory: 'granted by a directory',
}

const signOf = ({ kind, happens, people }: PlannedStep): string =>
  JSON.stringify([kind, happens, people.map(({ userId }) => userId).toSorted()])

function endStop({ end, grantDuration, steps }: RequestPlan, changed: Changed): Stop[] {
  if (end === 'REQUEST_PLAN_END_STUCK') return []
  if (end === 'REQUEST_PLAN_END_DENIED')
    return [{ key: 'end', is: 'bad', icon: IconX, title: 'The request is denied', word: 'Automatic' }]
  return [
    {
      key: 'end',
      is: 'future',
      icon: IconCheck,
      title: isOnlyRecorded(steps, changed) ? 'Access is recorded' : 'Access is granted',
      word: grantDuration ? `For ${lengthWords(grantDuration)}` : 'No expiry',
    },
  ]
}

/** `1 step needs a decision.` */
function summaryOf({ end, decisionsNeeded, steps }: RequestPlan, changed: Changed): string {
  if (end === 'REQUEST_PLAN_END_DENIED') return 'The policy denies this request.'
  if (end === 'REQUEST_PLAN_END_STUCK')
    return 'This request would get stuck. Ask a request administrator before you send it.'
  // The API counts every step that waits for people: also those who change the app.
  const byHand = steps.filter(({ kind, happens }) => kind === 'provision' && happens === 'PLANNED_STEP_PEOPLE').length
  const decisions = decisionsNeeded - byHand
  if (decisions > 0) {
    const then = byHand > 0 ? ' Then somebody must make the change in the app.' : ''
    return `${counted(decisions, 'step')} ${decisions === 1 ? 'needs' : 'need'} a decision.${then}`
  }
  if (byHand > 0) return 'No decision is needed, but somebody must make the change in the app.'
  if (steps.some(({ happens }) => happens === 'PLANNED_STEP_TIME'))
    return 'No decision is needed, but the policy adds a waiting time.'
  return isOnlyRecorded(steps, changed)
    ? 'No decision is needed: access is recorded immediately.'
    : 'No decision is needed.'
}

type RequestPlanViewProps = {
  planned: Planned
  /** Whether a request was refused because it would now go another way than was shown. */
  isChanged: boolean
  /** The beneficiary, if that is another person. */
  person: string | null
  changed: Changed
}

/** The route of a request before it is made: every step with its people, what is held, and what rules do. */
export function RequestPlanView({ planned, isChanged, person, changed }: RequestPlanViewProps): ReactNode {
  const { plan, error, before, isPending } = planned
  const id = useId()
  if (error)
    return (
      <ErrorNote
        error={error}
        title="The plan could not be loaded"
        shownElsewhere={Object.keys((planned.asked.requestData as object | undefined) ?? {}).map(
          (name) => `requestData.${name}`,
        )}
      />
    )
  if (!plan) return <Skeleton height={120} />
  const known = new Set(before?.steps.map(signOf))
  return (
    <>
      {isChanged && (
        <Alert
          color="orange"
          role="alert"
          title="The steps have changed"
          icon={<IconAlertTriangle size={18} aria-hidden />}
        >
          Nothing was sent. Review the updated steps below, and send the request again.
        </Alert>
      )}
      {plan.conflicts.length > 0 && (
        <Alert
          color="orange"
          variant="light"
          title="Automation rules"
          icon={<IconAlertTriangle size={18} aria-hidden />}
        >
          {plan.conflicts.map((each) => (
            <div key={each}>{each}</div>
          ))}
        </Alert>
      )}
      <section className={classes.plan} aria-labelledby={id} aria-busy={isPending}>
        <h3 className={classes.title} id={id}>
          What happens next
        </h3>
        <p className={classes.about}>
          {summaryOf(plan, changed)}{' '}
          {plan.maxDuration ? `The maximum duration is ${lengthWords(plan.maxDuration)}.` : ''}
        </p>
        {plan.alreadyHeld.length > 0 && (
          <p className={classes.about}>
            {person ? `${person} already has` : 'You already have'} this access: <Held held={plan.alreadyHeld} />
          </p>
        )}
        <Rail
          label="Steps of this request"
          stops={[
            ...plan.steps.map((step) =>
              plannedStop(step, { changed, ...(isChanged && !known.has(signOf(step)) && { note: 'Changed' }) }),
            ),
            ...endStop(plan, changed),
          ]}
        />
        <PlanWhy plan={plan} />
      </section>
    </>
  )
}

const Held = ({ held }: { held: RequestPlan['alreadyHeld'] }): ReactNode =>
  held.map(({ source, expiresAt }, place) => (
    <span key={source}>
      {place > 0 && '; '}
      {sources[source] ?? source},{' '}
      {expiresAt ? (
        <>
          until <Moment at={expiresAt} />
        </>
      ) : (
        'no expiry'
      )}
      {place === held.length - 1 && '.'}
    </span>
  ))

/** Where it comes from, for those who may see that. */
function PlanWhy({ plan }: { plan: RequestPlan }): ReactNode {
  const { policyWhy, grantPolicySource, maxDurationSource, formSource, emergencySource, provisionerSource } = plan
  const applied = [grantPolicySource, maxDurationSource, formSource, emergencySource, provisionerSource]
  const why = [...policyWhy, ...applied.flatMap((source) => source?.why || [])]
  if (why.length === 0) return null
  return (
    <Why label="Why these steps">
      <Items items={[...new Set(why)]} />
    </Why>
  )
}

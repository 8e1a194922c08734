import { findWebhooks } from '#rooms/events/webhooks/index.ts'
import type { Step, WireStep } from '#rooms/governance/policies/index.ts'
import { isAutomatic, isByConnector } from '#rooms/records/apps/index.ts'
import { findCarrier } from '#rooms/records/connectors/index.ts'
import { carriersOf } from '../facts/carriers.ts'
import type { Facts } from '../facts/facts.ts'
import { findFact } from '../facts/find.ts'
import { type Fact, needOf } from '../machine/advance.ts'
import type { Happened, TaskEvent } from '../machine/event.ts'
import { currentOf, emptyState, fold } from '../machine/fold.ts'
import type { Snapshot } from '../machine/snapshot.ts'
import type { Assignee, Explained, TaskState } from '../machine/task.ts'

/** How a step is passed: by itself, by people, by the clock, by the answer of a webhook, or not at all. */
export type Happens = 'automatic' | 'people' | 'time' | 'webhook' | 'stuck'
export type Provisions = '' | 'records' | 'delegated' | 'manual' | 'connector' | 'webhook' | 'none'

export type PlannedStep = {
  place: number
  step: Step
  wire: WireStep
  happens: Happens
  /** Who can decide it, or carry it out. */
  assignees: readonly Assignee[]
  explained: Explained
  /** Who decides it by asking for it; empty where nobody does. */
  approvedBy: string
  until: Date | null
  /** Why nobody can go on. */
  error: string
  provisions: Provisions
  /** Whether whoever approves an earlier step may not decide this one. */
  isWithoutEarlier: boolean
}

/** `end`: what becomes of it when everybody who is asked approves. */
export type Rehearsed = { steps: readonly PlannedStep[]; end: 'done' | 'denied' | 'stuck' }

const nothing: Explained = { tried: [], leftOut: [] }

/** A task after its first events, which are not written. */
export const stateAfter = (events: readonly TaskEvent[], by: string, at: Date): TaskState =>
  events.reduce<TaskState>((state, event) => fold(state, { ...event, by, at }), emptyState)

/**
 * Goes a task's route to its end as if everybody approved, and writes nothing. Who is asked, and what passes by itself, is found
 * out by what finds it out for tasks; only what carries it out is not begun.
 */
export async function rehearse(
  facts: Facts,
  { task, state: from }: Snapshot,
  without?: ReadonlySet<string>,
): Promise<Rehearsed> {
  const at = facts.world.now()
  const steps: PlannedStep[] = []
  let state = from
  const append = (event: TaskEvent, by: string): void => {
    const happened: Happened = { ...event, by, at }
    state = fold(state, happened)
  }
  for (;;) {
    const step = state.route[state.place]
    const wire = state.wire[state.place]
    if (!step || !wire) return { steps, end: 'done' }
    const need = needOf(state)
    const of = { task, state }
    const fact = need === null || need.for === 'provision' ? null : await findFact(facts, of, need, without)
    const planned = step.kind === 'provision' ? await carriedOut(facts, of, step.provision) : passing(step, fact)
    const earlier = steps.filter(({ step: { kind } }) => kind === 'approval')
    const isWithoutEarlier =
      step.kind === 'approval' &&
      step.requireDistinctApprovers &&
      earlier.some((each) => each.assignees.some(({ userId }) => isAmong(planned.assignees, userId)))
    steps.push({ place: state.place, step, wire, ...planned, isWithoutEarlier })
    if (planned.happens === 'stuck') return { steps, end: 'stuck' }
    if (step.kind === 'reject') return { steps, end: 'denied' }
    const [only, ...others] = planned.assignees
    const by = planned.approvedBy || (only && others.length === 0 ? only.userId : '')
    const stepId = `planned ${state.place}`
    append({ is: 'begun', stepId, assignees: planned.assignees, expiresAt: null }, '')
    append({ is: 'ended', stepId, outcome: passedAs[step.kind], comment: '' }, by)
  }
}

/** What is still to come of a task: its route from the step after the open one, as if that and all others are approved. */
export async function rehearseRest(facts: Facts, { task, state }: Snapshot): Promise<Rehearsed['steps']> {
  if (!state.isOpen) return []
  const now = currentOf(state)
  if (!now) return (await rehearse(facts, { task, state })).steps
  const [only, ...others] = now.assignees
  const by = only && others.length === 0 ? only.userId : ''
  const ended = { is: 'ended', stepId: now.id, outcome: passedAs[now.step.kind], comment: '' } as const
  const after = fold(state, { ...ended, by, at: facts.world.now() })
  return (await rehearse(facts, { task, state: after })).steps
}

const isAmong = (assignees: readonly Assignee[], id: string): boolean => assignees.some(({ userId }) => userId === id)

const passedAs = {
  approval: 'approved',
  accept: 'accepted',
  reject: 'rejected',
  wait: 'waited',
  form: 'answered',
  provision: 'provisioned',
} as const satisfies Record<Step['kind'], string>

type Passing = Omit<PlannedStep, 'place' | 'step' | 'wire' | 'isWithoutEarlier'>
const passes = (happens: Happens, more: Partial<Passing> = {}): Passing => ({
  happens,
  assignees: [],
  explained: nothing,
  approvedBy: '',
  until: null,
  error: '',
  provisions: '',
  ...more,
})
const byPeople = (assignees: readonly Assignee[], error: string, more: Partial<Passing> = {}): Passing =>
  assignees.length === 0 ? passes('stuck', { error, ...more }) : passes('people', { assignees, ...more })

function passing(step: Step, fact: Fact | null): Passing {
  if (!fact) return passes('automatic')
  if (fact.for === 'approval') {
    const { assignees, approvedBy, explained = nothing, isByWebhook = false } = fact
    if (isByWebhook) return passes('webhook')
    return approvedBy === null
      ? byPeople(assignees, 'Nobody can decide this step.', { explained })
      : passes('automatic', { assignees, approvedBy, explained })
  }
  if (fact.for === 'wait') {
    if (fact.error !== null) return passes('stuck', { error: `The condition of this step fails: ${fact.error}` })
    return fact.isOver ? passes('automatic') : passes('time', { until: fact.until })
  }
  if (fact.for === 'form')
    return fact.isAnswered ? passes('automatic') : byPeople(fact.assignees, 'Nobody can fill in the form.')
  return passes('automatic')
}

/** What carries it out, by the provisioner's own word; nothing is begun. */
async function carriedOut(
  facts: Facts,
  of: Snapshot,
  policy: Extract<Step, { kind: 'provision' }>['provision'],
): Promise<Passing> {
  const { tx, tenantId } = facts
  const { task } = of
  if (task.kind === 'change' || task.kind === 'offboarding') return passes('automatic', { provisions: 'records' })
  if (policy?.delegated) return passes('automatic', { provisions: 'delegated' })
  if (policy?.webhook && (await findWebhooks(tx, tenantId, [policy.webhook.webhookId])).length > 0)
    return passes('webhook', { provisions: 'webhook' })
  const isConfigured = !isAutomatic(policy)
  const carrier = isConfigured ? 'people' : await findCarrier(tx, tenantId, task, isByConnector(policy))
  if (carrier !== 'people') return passes('automatic', { provisions: carrier })
  const assignees = await carriersOf(facts, of, policy?.manual ?? null)
  const isManual = !isConfigured || policy?.manual !== null
  return byPeople(assignees, 'Nobody can provision this.', { provisions: isManual ? 'manual' : 'none' })
}

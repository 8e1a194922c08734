import { findEnforcer } from '#rooms/governance/enforcement/index.ts'
import type { Steps } from '#rooms/governance/policies/index.ts'
import { carriersOf } from '../facts/carriers.ts'
import type { Facts } from '../facts/facts.ts'
import { findFact } from '../facts/find.ts'
import { needOf } from '../machine/advance.ts'
import type { Happened, TaskEvent } from '../machine/event.ts'
import { currentOf, emptyState, fold } from '../machine/fold.ts'
import type { Snapshot } from '../machine/record.ts'
import type { Assignee, TaskState } from '../machine/task.ts'
import { byPeople, type Passing, type PlannedStep, passedAs, passes, passing } from './step-kinds.ts'

/** `end`: the result if everyone who is asked approves. */
export type Rehearsed = { steps: readonly PlannedStep[]; end: 'done' | 'denied' | 'stuck' }

/** The state of a task after its first events, which are not written. */
export const stateAfter = (events: readonly TaskEvent[], by: string, at: Date): TaskState =>
  events.reduce<TaskState>((state, event) => fold(state, { ...event, by, at }), emptyState)

/**
 * Follows a task's route to its end as if everyone approved, and writes nothing. Who is asked, and which steps pass
 * automatically, is determined by the same code as for tasks; only provisioning is not begun.
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
    const planned =
      need?.kind === 'provision'
        ? await carriedOut(facts, of, need.provision)
        : passing(need && (await findFact(facts, of, need, without)))
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
    append({ is: 'ended', stepId, outcome: passedAs(step), comment: '' }, by)
  }
}

/** The future steps of a task: its route after the open step, as if that and all others are approved. */
export async function rehearseRest(facts: Facts, { task, state }: Snapshot): Promise<Rehearsed['steps']> {
  if (!state.isOpen) return []
  const now = currentOf(state)
  if (!now) return (await rehearse(facts, { task, state })).steps
  const [only, ...others] = now.assignees
  const by = only && others.length === 0 ? only.userId : ''
  const ended = { is: 'ended', stepId: now.id, outcome: passedAs(now.step), comment: '' } as const
  const after = fold(state, { ...ended, by, at: facts.world.now() })
  return (await rehearse(facts, { task, state: after })).steps
}

const isAmong = (assignees: readonly Assignee[], id: string): boolean => assignees.some(({ userId }) => userId === id)

/** What provisions it, according to the provisioner; nothing is begun. */
async function carriedOut(facts: Facts, of: Snapshot, policy: Steps['provision']['provision']): Promise<Passing> {
  const { tx, world } = facts
  const { task } = of
  if (task.kind === 'change' || task.kind === 'offboarding') return passes('automatic', { provisions: 'records' })
  const ref = { appId: task.appId, id: task.entitlementId }
  const enforcer = await findEnforcer(tx, world, ref, policy)
  if (enforcer.by === 'another entitlement') return passes('automatic', { provisions: 'delegated' })
  if (enforcer.by === 'webhook') return passes('webhook', { provisions: 'webhook' })
  if (enforcer.by === 'connector') return passes('automatic', { provisions: 'connector' })
  if (enforcer.by !== 'people') return passes('automatic', { provisions: 'records' })
  const assignees = await carriersOf(facts, of, policy?.manual ?? null)
  return byPeople(assignees, 'Nobody can provision this.', { provisions: enforcer.why === '' ? 'manual' : 'none' })
}

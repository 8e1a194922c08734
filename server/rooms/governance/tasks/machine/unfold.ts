import type { Call } from '#kernel/routes.ts'
import { advance, type Fact, type Need, needOf } from './advance.ts'
import { type Effect, effectsOf } from './effect.ts'
import type { Happened, TaskEvent } from './event.ts'
import { currentOf, fold } from './fold.ts'
import type { Snapshot, Task } from './record.ts'
import type { TaskState } from './task.ts'

/** Finds the fact that a task needs; writes nothing. */
export type Find = (of: Snapshot, need: Need) => Promise<Fact>

/** `effects`: to be carried out together with writing the task. */
export type Ran = Snapshot & { events: readonly (Happened & { id: string })[]; effects: readonly Effect[] }

/** New events of a task, and effects in addition to those that the state machine determines. */
export type Happening = { events: readonly TaskEvent[]; by: string; effects?: readonly Effect[] }

// A route has at most 32 steps of up to 16 parts each, a form before them, and an end.
const roundsMax = 600

/**
 * Applies events to a task, with everything that follows from them without further action by people. Nothing is written or
 * carried out.
 */
export async function unfold(
  world: Pick<Call, 'newId' | 'now'>,
  before: Snapshot,
  { events: first, by, effects: given = [] }: Happening,
  find: Find,
): Promise<Ran> {
  const at = world.now()
  const { task } = before
  const events: Happened[] = []
  const effects: Effect[] = [...given]
  let { state } = before
  const append = (event: TaskEvent, who: string): void => {
    const happened: Happened = { ...event, by: who, at }
    events.push(happened)
    state = fold(state, happened)
  }
  for (const event of first) append(event, by)
  for (let round = 0; state.isOpen && currentOf(state) === null && state.stuckWhy === null; round++) {
    if (round === roundsMax) throw new Error(`the task ${task.id} does not settle`)
    const need = needOf(state)
    const fact = need && (await find({ task, state }, need))
    if (fact?.for === 'provision') effects.push(...(fact.effects ?? []))
    const approvedBy = fact?.for === 'approval' ? fact.approvedBy : null
    for (const event of advance(state, fact, at, world.newId))
      append(event, event.is === 'ended' && approvedBy !== null ? approvedBy : '')
  }
  const after = { task: project(task, state, events, at), state }
  effects.push(...effectsOf(before, after, at))
  return { ...after, effects, events: events.map((event) => ({ ...event, id: world.newId() })) }
}

export const assigneesOf = (state: TaskState): string[] => [
  ...new Set(currentOf(state)?.assignees.map(({ userId }) => userId)),
]

/** The row of a task, from its state. */
export function project(task: Task, state: TaskState, events: readonly Happened[], at: Date): Task {
  const now = currentOf(state)
  const deciders = state.instances.flatMap(({ end, step }) =>
    end && end.by !== '' && step.kind === 'approval' && (end.outcome === 'approved' || end.outcome === 'denied')
      ? [end.by]
      : [],
  )
  return {
    ...task,
    isOpen: state.isOpen,
    outcome: state.outcome,
    outcomeAt: state.isOpen ? null : (task.outcomeAt ?? at),
    isEmergency: state.isEmergency,
    durationSeconds: state.durationSeconds,
    policyId: state.policyId,
    stepId: now?.id ?? '',
    stepKind: now?.step.kind ?? '',
    stepApprovers: now?.step.kind === 'approval' ? now.step.approvers.by : '',
    stepDueAt: now?.expiresAt ?? null,
    stepApproveReason: now?.step.kind === 'approval' && now.step.needsReason.toApprove,
    stepDenyReason: now?.step.kind === 'approval' && now.step.needsReason.toDeny,
    stuckWhy: state.stuckWhy,
    approverIds: [...new Set(deciders)],
    commentCount:
      task.commentCount +
      events.filter((event) => 'comment' in event && event.comment !== '' && event.by !== '').length,
    version: task.version + events.length,
    updatedAt: at,
  }
}

import { findApprovers } from '../../facts/approvers.ts'
import type { Facts } from '../../facts/facts.ts'
import { listHoldingPeople } from '../../facts/store.ts'
import type { Happened } from '../../machine/event.ts'
import { currentOf, replay } from '../../machine/fold.ts'
import type { Task } from '../../machine/record.ts'
import type { Explained, Instance, TaskState } from '../../machine/task.ts'
import { listTaskEvents } from '../../store.ts'

/** A past or current step, with the explanation of its people. */
export type ExplainedStep = { instance: Instance; explained: Explained; isFallback: boolean }
/** One time that the route was chosen or started again. */
export type Round = { generation: number; policyId: string; why: readonly string[] }
export type Why = { task: Task; state: TaskState; rounds: readonly Round[]; steps: readonly ExplainedStep[] }

const nothing: Explained = { tried: [], leftOut: [] }
const groupMax = 128

/**
 * Why a task took its course, and why it is where it is. For past steps: the facts when they began; for the current one: who
 * can decide it now, and who cannot.
 */
export async function explainTask(facts: Facts, task: Task, userId: string): Promise<Why> {
  const events = await listTaskEvents(facts.tx, facts.tenantId, task.id)
  const state = replay(events)
  const now = currentOf(state)
  const steps: ExplainedStep[] = []
  for (const instance of state.instances) {
    const explained =
      instance === now && instance.step.kind === 'approval'
        ? await findApprovers(facts, { task, state: without(state, instance) }, instance.step)
        : (instance.explained ?? nothing)
    const isFallback = await isFallbackOf(facts, instance, userId)
    steps.push({ instance, explained: task.kind === 'change' ? ofChange(explained) : explained, isFallback })
  }
  return { task, state, rounds: roundsOf(events), steps }
}

/** The subject of a change is its author. */
const ofChange = ({ tried, leftOut }: Explained): Explained => ({
  tried,
  leftOut: leftOut.map((each) => (each.why === 'is the subject' ? { ...each, why: 'is the author' } : each)),
})

/** The state before a step began: so that asking for it again does not depend on the step itself. */
const without = (state: TaskState, instance: Instance): TaskState => ({
  ...state,
  instances: state.instances.filter((each) => each !== instance),
})

async function isFallbackOf({ tx, tenantId, world }: Facts, { step }: Instance, userId: string): Promise<boolean> {
  if (step.kind !== 'approval' || !step.fallback) return false
  if (step.fallback.userIds.includes(userId)) return true
  for (const group of step.fallback.groups)
    if ((await listHoldingPeople(tx, tenantId, group, { at: world.now(), limit: groupMax })).includes(userId))
      return true
  return false
}

/** How the route was chosen, each time. */
function roundsOf(events: readonly Happened[]): Round[] {
  const rounds: Round[] = []
  for (const [place, event] of events.entries()) {
    const last = rounds.at(-1)
    if (event.is === 'routed') {
      const before = events[place - 1]
      const settings = before?.is === 'settings applied' ? before.why : []
      const { policyId } = event
      rounds.push({ generation: rounds.length + 1, policyId, why: [...settings, ...event.why] })
    } else if (event.is === 'restarted' && last)
      rounds.push({
        ...last,
        generation: rounds.length + 1,
        why: [event.comment || 'The steps were restarted.', ...last.why],
      })
  }
  return rounds
}

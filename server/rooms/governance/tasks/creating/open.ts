import { carry } from '../carry.ts'
import type { Facts } from '../facts/facts.ts'
import type { TaskEvent } from '../machine/event.ts'
import { emptyState } from '../machine/fold.ts'
import { newTask, type Task, type TaskAbout } from '../machine/record.ts'
import type { Ran } from '../machine/unfold.ts'
import type { Routed } from '../route.ts'
import type { Deciding } from '../verdict.ts'

export type Answers = { readonly [name: string]: unknown } | null

/** A task to open. The number is reserved before the transaction: see numbers.ts. */
export type Opening = {
  number: number
  about: TaskAbout
  durationSeconds?: number | null
  isEmergency?: boolean
  /** An event with the sources of the request's settings. */
  settings?: TaskEvent
  /** Empty for the service itself. */
  by: string
  route(task: Task): Promise<Routed>
  /** The answers to the forms of the route. */
  answersTo?(routed: Routed): Promise<Answers>
  /** A last check, which can refuse to open the task. */
  check?(of: { task: Task; events: readonly TaskEvent[] }): Promise<void>
}

/** A task that is not open yet, and its first events. */
export async function firstEvents(facts: Facts, opening: Omit<Opening, 'number'> & { number?: number }) {
  const { durationSeconds = null, isEmergency = false, settings, route, answersTo } = opening
  const task = newTask(facts.world, { number: 0, ...opening, durationSeconds, isEmergency })
  const [twin, routed] = await Promise.all([facts.openTwin(task), route(task)])
  const answers = answersTo ? await answersTo(routed) : null
  const created = { is: 'created', durationSeconds, answers, isEmergency } as const
  return { task, twin, routed, events: [created, ...(settings ? [settings] : []), routed] }
}

/**
 * Opens a task and advances it as far as possible without people. If one for the same access is open, nothing happens, and
 * that one is returned.
 */
export async function openTask(facts: Facts, cause: Deciding, opening: Opening): Promise<Ran | { twin: Task }> {
  const { task, twin, events } = await firstEvents(facts, opening)
  if (twin) return { twin }
  await opening.check?.({ task, events })
  const before = { task, state: emptyState }
  return carry(facts, cause, before, { events, by: opening.by, verb: 'Created', activity: 'create', isNew: true })
}

import type { PreparedRequest } from '#rooms/records/connectors/index.ts'
import { currentOf, isAsked } from './fold.ts'
import type { Snapshot, Task } from './record.ts'
import type { Instance } from './task.ts'

/** The access of a task, and its duration. */
export type Access = { of: Task; durationSeconds: number | null }

/** What follows from the events of a task. Effects are carried out only when the task is written: see effects/. */
export type Effect =
  /** Records that access is granted, revoked, or (if it was only provisioned again) is in the app. */
  | ({ do: 'record access'; isInApp?: boolean } & Access)
  /** Another entitlement includes it: that one is granted too, or revoked if nothing else grants it. */
  | ({ do: 'grant included' } & Access)
  | { do: 'revoke included'; of: Task; with: Task }
  | { do: 'create account'; of: Task }
  | { do: 'place with connector'; requests: readonly PreparedRequest[]; of: Task; generation: number; place: number }
  | { do: 'leave connector'; generation: number; place: number }
  | { do: 'leave webhook'; stepId: string }
  | { do: 'ask webhook'; stepId: string }
  | { do: 'wake'; stepId: string; at: Date }
  | { do: 'continue offboarding'; taskId: string }
  | { do: 'apply change' }

export const recordAccess = ({ task, state }: Snapshot, isInApp = false): Effect => ({
  do: 'record access',
  of: task,
  durationSeconds: state.durationSeconds,
  isInApp,
})

/** How often the condition of a wait is evaluated. */
const askEveryMs = 300_000

/** When the time ends a step or requires a check; null if it only waits for people. */
export function wakingAt(now: Instance | null, at: Date): Date | null {
  if (!now?.expiresAt) return null
  const isAskedAgain = now.step.kind === 'wait' && now.step.until.by === 'condition'
  return isAskedAgain ? new Date(Math.min(now.expiresAt.getTime(), at.getTime() + askEveryMs)) : now.expiresAt
}

/**
 * The effects of the difference between a task before and after: starts what it waits for, and ends what it no longer waits
 * for.
 */
export function effectsOf(before: Snapshot, after: Snapshot, at: Date): Effect[] {
  const { task } = after
  const [was, now] = [currentOf(before.state), currentOf(after.state)]
  const effects: Effect[] = []
  const isAboutAccess = task.kind === 'grant' || task.kind === 'revoke'
  if (was && was.id !== now?.id && was.step.kind === 'provision' && isAboutAccess)
    effects.push({ do: 'leave connector', generation: was.generation, place: was.place })
  if (was && isAsked(was) && (was.id !== now?.id || !isAsked(now)))
    effects.push({ do: 'leave webhook', stepId: was.id })
  if (now && now.id !== before.task.stepId) {
    const wakes = wakingAt(now, at)
    if (wakes) effects.push({ do: 'wake', stepId: now.id, at: wakes })
    if (isAsked(now)) effects.push({ do: 'ask webhook', stepId: now.id })
  }
  // The task that opened it waits for it.
  if (task.parentId !== '' && !task.isOpen) effects.push({ do: 'continue offboarding', taskId: task.parentId })
  return effects
}

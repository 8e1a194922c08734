import type { ActionName } from './action.ts'
import { currentOf } from './fold.ts'
import type { TaskState } from './task.ts'

const ofAccess: readonly ActionName[] = [
  'reset',
  'escalate',
  'update-grant-duration',
  'update-request-data',
  'retry-provisioning',
  'provision-complete',
  'provision-errored',
  'provision-cancelled',
]

/**
 * Of what is allowed with a task, what makes sense for a change: no person carries it out, and once it is over it is over. Who
 * still wants it asks again, so that it is planned anew.
 */
export function ofChanges(state: TaskState, allowed: ReadonlySet<ActionName>): Set<ActionName> {
  if (!state.isOpen) return new Set(['comment'])
  const isUnderWay = currentOf(state)?.step.kind === 'provision'
  const left = [...allowed].filter((name) => !ofAccess.includes(name))
  return new Set(isUnderWay ? left.filter((name) => name === 'comment') : left)
}

import type { May } from '#authority/proof.ts'
import type { Call } from '#kernel/routes.ts'
import { type CauseBy, causeOf, provenCause } from '#rooms/foundation/systemlog/index.ts'
import type { ActionName } from './machine/action.ts'
import type { Task } from './machine/record.ts'
import type { Undoable } from './planning/undo/decide.ts'
import { actionNotAllowed } from './refuse.ts'

/** Proof of who changes a task: a caller whom the task machine allows it, or the service. */
export type Deciding = CauseBy<'task machine' | 'service'>

/** The rules that let a caller open tasks. What is opened for them, they can close. */
export type Opener = 'tasks.act' | 'tasks.offboard' | 'access-removals.run' | 'drift.resolve'

/** Refuses an action that is not among those that the machine allows. */
export function allowing(call: Call, task: Task, action: ActionName, allowed: ReadonlySet<ActionName>): Deciding {
  if (!allowed.has(action)) throw actionNotAllowed(task, action, allowed)
  return proof(call)
}

export const undoing = (call: Call, _decision: Undoable): Deciding => proof(call)

export const openingFor = (call: May<Opener>): Deciding => proof(call)

const proof = (call: Call): Deciding => provenCause<'task machine'>(causeOf(call))

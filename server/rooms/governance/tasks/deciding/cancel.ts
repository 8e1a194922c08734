import type { May } from '#authority/proof.ts'
import type { Tx } from '#kernel/sql.ts'
import { carry } from '../carry.ts'
import { Facts } from '../facts/facts.ts'
import { replay } from '../machine/fold.ts'
import { listTaskEvents, lockTask } from '../store.ts'
import { type Opener, openingFor } from '../verdict.ts'

/** Closes a task that another room opened for the caller. Returns whether it was open. */
export async function cancelTask(tx: Tx, call: May<Opener>, taskId: string, comment: string): Promise<boolean> {
  const task = await lockTask(tx, call.tenant.id, taskId)
  if (!task?.isOpen) return false
  const state = replay(await listTaskEvents(tx, call.tenant.id, taskId))
  const closed = { is: 'closed', outcome: 'cancelled', comment } as const
  const happening = { events: [closed], by: call.actor.userId, verb: 'Closed' }
  await carry(new Facts(tx, call), openingFor(call), { task, state }, happening)
  return true
}

import { transact } from '#kernel/sql.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { carry } from '../carry.ts'
import { recalculated } from '../deciding/people.ts'
import { continueOffboarding } from '../effects/carry-out.ts'
import { Facts, type TenantWorld } from '../facts/facts.ts'
import { whyGone } from '../facts/find.ts'
import type { TaskEvent } from '../machine/event.ts'
import { currentOf, replay } from '../machine/fold.ts'
import { listTaskEvents, lockTask } from '../store.ts'

/** The check had no result: what was written is rolled back. */
class Unchanged extends Error {
  override name = 'Unchanged'
}

/**
 * Checks an open task against the present facts. If its object no longer exists, or the subject cannot have it, it is
 * cancelled. If other people can decide its step than the assignees, it is assigned to them. If it was stuck and no longer
 * is, it continues. Returns whether something changed.
 */
export async function recheckTask(world: TenantWorld, taskId: string): Promise<boolean> {
  try {
    return await transact(world.db, async (tx) => {
      const facts = new Facts(tx, world)
      const task = await lockTask(tx, world.tenant.id, taskId)
      if (!task?.isOpen) return false
      const state = replay(await listTaskEvents(tx, world.tenant.id, taskId))
      const now = currentOf(state)
      if (task.kind === 'offboarding') {
        if (state.stuckWhy !== null) await continueOffboarding(facts, task.id)
        return false
      }
      const gone = await whyGone(facts, task)
      const events: readonly TaskEvent[] = gone
        ? [{ is: 'closed', outcome: 'cancelled', comment: gone }]
        : now
          ? await recalculated(facts, { task, state })
          : [{ is: 'resumed' }]
      if (events.length === 0) return false
      const cause = serviceCause(world.tenant, 'recheck tasks')
      const happening = { events, by: '', verb: gone ? 'Cancelled' : 'Rechecked' }
      const ran = await carry(facts, cause, { task, state }, happening)
      const isAsBefore =
        now === null && ran.task.isOpen && ran.task.stuckWhy === task.stuckWhy && ran.events.length === 2
      if (isAsBefore) throw new Unchanged()
      return true
    })
  } catch (error) {
    if (error instanceof Unchanged) return false
    throw error
  }
}

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

/** Nothing came of looking at it: what was written is taken back. */
class Unchanged extends Error {
  override name = 'Unchanged'
}

/**
 * Looks at an open task as the world is now. What it asks for is gone, or the subject cannot have it: it is cancelled. Other
 * people can decide its step than those it stands with: it goes to them. It was stuck and is no longer: it goes on. Answers
 * whether something changed.
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

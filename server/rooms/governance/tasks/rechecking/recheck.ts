import { transact } from '#kernel/sql.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { unroutedTerms } from '#rooms/governance/terms/index.ts'
import { carry } from '../carry.ts'
import { recalculated } from '../deciding/people.ts'
import type { Doing } from '../doing.ts'
import { whyGone } from '../facts/find.ts'
import type { TaskEvent } from '../machine/event.ts'
import { currentOf, replay } from '../machine/fold.ts'
import { beginOffboarding } from '../offboarding/begin.ts'
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
export async function recheckTask(doing: Doing, taskId: string): Promise<boolean> {
  try {
    return await transact(doing.db, async (tx) => {
      const task = await lockTask(tx, doing.tenant.id, taskId)
      if (!task?.isOpen) return false
      const state = replay(await listTaskEvents(tx, doing.tenant.id, taskId))
      const now = currentOf(state)
      if (task.kind === 'offboarding') {
        if (state.stuckWhy !== null) await beginOffboarding(tx, doing, task)
        return false
      }
      const terms = task.kind === 'change' ? null : await unroutedTerms(tx, doing, task)
      const gone = await whyGone(tx, doing, task, terms)
      const events: readonly TaskEvent[] = gone
        ? [{ is: 'closed', outcome: 'cancelled', comment: gone }]
        : now
          ? await recalculated({ tx, doing, task, state }, now)
          : [{ is: 'resumed' }]
      if (events.length === 0) return false
      const cause = serviceCause(doing.tenant, 'recheck tasks')
      const ran = await carry(tx, doing, cause, task, state, { events, by: '', verb: gone ? 'Cancelled' : 'Rechecked' })
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

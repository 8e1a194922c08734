import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { deleteIdleRuns } from './store.ts'

const keptMs = 30 * 86_400_000
const batchSize = 1000

/** Forgets runs by the clock that found nothing to do and are older than a month: of those there are many. */
export async function forgetIdleRuns(world: World): Promise<void> {
  const before = new Date(world.now().getTime() - keptMs)
  for (let count = batchSize; count === batchSize; )
    count = await transact(world.db, (tx) => deleteIdleRuns(tx, before, batchSize))
}

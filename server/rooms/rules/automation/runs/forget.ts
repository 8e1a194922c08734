import { transact } from '#kernel/sql.ts'
import { inTurns } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { deleteIdleRuns, listTenantsWithIdleRuns } from './store.ts'

const keptMs = 30 * 86_400_000
const batchSize = 1000
// It is run once per hour: long enough for the runs of an hour.
const forMs = 60_000

/** Deletes scheduled runs that found nothing to do and are older than a month: there are many of them. */
export async function forgetIdleRuns(world: World): Promise<void> {
  const before = new Date(world.now().getTime() - keptMs)
  const forget = (tenantId: number): Promise<number> =>
    transact(world.db, (tx) => deleteIdleRuns(tx, tenantId, before, batchSize))
  await inTurns(
    await listTenantsWithIdleRuns(world.db, before),
    async (tenantId) => (await forget(tenantId)) === batchSize,
    forMs,
  )
}

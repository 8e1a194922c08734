import { transact } from '#kernel/sql.ts'
import { inTurns } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { triedForMs } from './decide.ts'
import { deleteEnded, giveUp, listTenantsToTidy } from './store.ts'

/** How long sent messages are kept. */
const keptMs = 30 * 86_400_000
const perTurn = 1_000

/** Gives up messages that could not be sent for days, and deletes those that were sent weeks ago. */
export async function tidyMessages(world: World): Promise<void> {
  const at = world.now()
  const ended = new Date(at.getTime() - keptMs)
  const late = new Date(at.getTime() - triedForMs)
  await inTurns(await listTenantsToTidy(world.db, { ended, late }), (tenantId) =>
    transact(world.db, async (tx) => {
      await giveUp(tx, tenantId, { late, at })
      return (await deleteEnded(tx, tenantId, ended, perTurn)) === perTurn
    }),
  )
}

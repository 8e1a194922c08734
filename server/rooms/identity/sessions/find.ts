import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type MetBy, reportForged } from '#rooms/foundation/systemlog/index.ts'
import { spent } from './spent.ts'
import { findSession, isAuthenticSession, type SessionRow } from './store.ts'

/** The session with an id, if this program wrote it and has not ended it. */
export async function findAuthentic(world: World, db: Reads, where: MetBy, id: string): Promise<SessionRow | null> {
  let row = await findSession(db, where.tenant.id, id)
  // It may have been ended while it was being read: then the row is gone, or says so.
  if (row && !row.endedAt && world.memory(spent).has(`session ${id}`)) row = await findSession(db, where.tenant.id, id)
  if (!row) return null
  if (!isAuthenticSession(world.seals, where.tenant.id, row)) {
    await reportForged(world, where, { type: 'session', id: id })
    return null
  }
  // It was ended here, but its row in the database has not ended: somebody restored it.
  if (!row.endedAt && world.memory(spent).has(`session ${id}`)) {
    await reportForged(world, where, { type: 'session that had ended', id: id })
    return null
  }
  return row
}

import { Refusal } from '#kernel/refusals.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type CauseBy, change, record } from '#rooms/foundation/systemlog/index.ts'
import { sessionNotFound, touchedSession } from '../actions.ts'
import { afterEnd } from '../decide.ts'
import { findPerson } from '../person.ts'
import { isAuthenticSession, lockSessionsOf, replaceSession, type SessionRow } from '../store.ts'

const touchedMax = 100

/** Ends sessions of someone else: one of them, or all. The next request with the cookie of one gets the reason. */
export async function endSessionsOf(
  tx: Tx,
  world: World,
  cause: CauseBy<'sessions.end' | 'operator'>,
  userId: string,
  id: string | null,
): Promise<SessionRow[]> {
  const user = await findPerson(tx, cause.tenant.id, userId, world.now())
  if (!user) throw new Refusal('USER_NOT_FOUND', `There is no user ${userId}.`, { metadata: { userIds: userId } })
  const all = await lockSessionsOf(tx, cause.tenant.id, userId)
  // A row that this program did not write does not count, and is not ended: that would give it a valid MAC.
  const chosen = all.filter(
    (row) => (id === null || row.id === id) && isAuthenticSession(world.seals, cause.tenant.id, row),
  )
  if (id !== null && chosen.length === 0) throw sessionNotFound(id)
  for (const row of chosen)
    await replaceSession(tx, world.seals, cause.tenant.id, row, afterEnd(row, 'ENDED_BY_ADMINISTRATOR', world.now()))
  const message = id === null ? `Ended all sessions of ${user.name}` : `Ended a session of ${user.name}`
  const touched = [{ type: 'user', id: userId, name: user.name }, ...chosen.slice(0, touchedMax).map(touchedSession)]
  if (chosen.length > 0) await record(tx, world, cause, change(cause, 'delete', message, touched))
  return chosen
}

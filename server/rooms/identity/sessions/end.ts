import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { MetBy } from '#rooms/foundation/systemlog/index.ts'
import { record, signOut } from '#rooms/foundation/systemlog/index.ts'
import { cookieIn } from './cookie.ts'
import { afterEnd, endedReasons, standingOf } from './decide.ts'
import { findAuthentic } from './find.ts'
import { findPerson, type Person } from './person.ts'
import { type Presented, readCookie } from './secret.ts'
import type { EndedWhy, Session } from './session.ts'
import { spent } from './spent.ts'
import { deleteSession, replaceSession, type SessionRow } from './store.ts'

/** Which cookie the calling browser has; null if it has none from this server. */
export function presentedBy(call: Call): Presented | null {
  const value = cookieIn(call.headers['cookie'] as string | undefined, 'bailiwick', call.origin)
  return value === null ? null : readCookie(call.seals, call.tenant.id, value)
}

/** Ends a session for a reason that later requests with its cookie get. Returns whether this call ended it. */
export async function endFor(
  tx: Tx,
  world: World,
  where: MetBy,
  { session, user }: { session: SessionRow; user: Person },
  why: EndedWhy,
): Promise<boolean> {
  const after = afterEnd(session, why, world.now())
  if (!(await replaceSession(tx, world.seals, where.tenant.id, session, after))) return false
  await record(tx, world, where, signOut(where, user, session.id, endedReasons[why], 'high'))
  return true
}

/** Ends the session of a cookie, if it has not ended, and records why. Returns what was ended. */
export async function endSessionOf(tx: Tx, call: Call, presented: Presented, why: string): Promise<Session | null> {
  const session = await findAuthentic(call, tx, call, presented.sessionId)
  const user = session && (await findPerson(tx, call.tenant.id, session.userId, call.now()))
  if (!session || !user) return null
  const standing = standingOf(session, presented, call.now())
  switch (standing) {
    case 'ended':
      return null
    case 'good':
    case 'lingers':
    case 'confirms':
    case 'offers':
      return endById(tx, call, session.id, user, why)
    case 'COOKIE_REUSED':
    case 'COOKIE_NOT_REPLACED':
    case 'RECORD_SET_BACK':
    case 'ENDED_BY_ADMINISTRATOR':
      return (await endFor(tx, call, call, { session, user }, standing)) ? session : null
  }
}

/** Ends a session of a browser that continues without it. */
export async function endById(tx: Tx, call: Call, id: string, user: Person, why: string): Promise<Session | null> {
  const gone = await deleteSession(tx, call.tenant.id, user.id, id)
  if (gone) await record(tx, call, call, signOut(call, user, id, why))
  return gone
}

/** After the commit: a session that has ended does not become valid again if its row is restored. */
export function forget(world: World, ...gone: readonly (Session | null)[]): void {
  for (const session of gone) if (session) world.memory(spent).add(`session ${session.id}`, session.expiresAt)
}

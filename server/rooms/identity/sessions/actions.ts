import type { May } from '#authority/proof.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { causeOf, change, record } from '#rooms/foundation/systemlog/index.ts'
import { deleteExpiredChallenges } from './challenges/store.ts'
import { sessionCookie } from './cookie.ts'
import { endSessionOf, forget, presentedBy } from './end.ts'
import { keptMs } from './invitations/decide.ts'
import { deleteInvitationsExpiredBy } from './invitations/store.ts'
import { deleteExpiredLinks } from './links/store.ts'
import type { Session } from './session.ts'
import { deleteEndedSessions, deleteOtherSessions, deleteSession } from './store.ts'

/** Ends the session of the calling browser, if it has one, and removes its cookie in any case. */
export async function endOwnSession(call: Call): Promise<void> {
  call.sendHeader('set-cookie', sessionCookie('', 0, call.origin))
  const presented = presentedBy(call)
  if (presented) forget(call, await transact(call.db, (tx) => endSessionOf(tx, call, presented, 'signed out')))
}

export const touchedSession = ({ id, method, sourceAddress, createdAt }: Session) => ({
  type: 'session',
  id,
  data: { method, sourceAddress, createdAt },
})

export const sessionNotFound = (id: string): Refusal =>
  new Refusal('SESSION_NOT_FOUND', `There is no session ${id}.`, { metadata: { id } })

/** Ends one of your own sessions. */
export async function revokeSession(call: May<'own-sessions.end'>, id: string): Promise<void> {
  const ended = await transact(call.db, async (tx) => {
    const gone = await deleteSession(tx, call.tenant.id, call.actor.userId, id)
    if (!gone) throw sessionNotFound(id)
    const cause = causeOf(call)
    const message = `Ended a session of ${call.actor.name}`
    await record(tx, call, cause, change(cause, 'delete', message, [touchedSession(gone)]))
    return gone
  })
  forget(call, ended)
}

/** Ends all of the caller's own sessions except the current one. */
export async function revokeOtherSessions(call: May<'own-sessions.end'>): Promise<number> {
  const ended = await transact(call.db, async (tx) => {
    const all = await deleteOtherSessions(tx, call.tenant.id, call.actor.userId, call.actor.sessionId)
    const cause = causeOf(call)
    const message = `Ended all other sessions of ${call.actor.name}`
    if (all.length > 0) await record(tx, call, cause, change(cause, 'delete', message, all.map(touchedSession)))
    return all
  })
  forget(call, ...ended)
  return ended.length
}

/** Deletes what has expired; run by the engine. */
export async function forgetEnded({ db, now }: World): Promise<void> {
  const at = now()
  await deleteEndedSessions(db, at)
  await deleteExpiredLinks(db, at)
  await deleteExpiredChallenges(db, at)
  await deleteInvitationsExpiredBy(db, new Date(at.getTime() - keptMs))
}

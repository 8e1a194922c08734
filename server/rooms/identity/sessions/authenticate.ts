import { Refusal } from '#kernel/refusals.ts'
import type { Actor, Tenancy } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { isFromBeforeRestore } from '#rooms/foundation/systemlog/index.ts'
import { authenticate as authenticateBearer, type DpopAsked } from '#rooms/identity/tokens/index.ts'
import { cookieIn, sessionCookie } from './cookie.ts'
import { addressDenied, afterConfirm, afterOffer, endedMessages, standingOf } from './decide.ts'
import { endFor, forget } from './end.ts'
import { findSignedIn, type SignedIn } from './identities.ts'
import { lastSeen } from './last-seen.ts'
import { cookieValue, type Presented, readCookie } from './secret.ts'
import type { EndedWhy } from './session.ts'
import { replaceSession } from './store.ts'

export type Asking = {
  tenant: Tenancy
  operation: string
  requestId: string
  sourceAddress: string
  authorization: string | undefined
  cookie: string | undefined
  dpop: DpopAsked
  origin: string
  /** Its reply may take minutes, as for an upload. */
  mayTakeLong: boolean
  sendHeader: (name: string, value: string) => void
  refuseForeignPages: () => void
}

/** The caller of a request: by its Authorization header if it has one, else by the console's cookie. */
export function authenticate(world: World, asked: Asking): Actor | Promise<Actor> {
  if (asked.authorization !== undefined || asked.cookie === undefined) return authenticateBearer(world, asked)
  const value = cookieIn(asked.cookie, 'bailiwick', asked.origin)
  return value === null ? authenticateBearer(world, asked) : resume(world, asked, value)
}

/** For a cookie from this server; a session that has ended is not an attack. */
const ended = (why: EndedWhy | null = null): Refusal =>
  new Refusal('SESSION_ENDED', why === null ? endedMessage : endedMessages[why], {
    isExpected: true,
    ...(why !== null && { metadata: { why } }),
  })
const endedMessage = 'The session has ended; sign in again.'

/** For a cookie that is not from this server: the browser is asked to delete it, so that it is seen and recorded once. */
function unreadable({ sendHeader, origin }: Asking): Refusal {
  sendHeader('set-cookie', sessionCookie('', 0, origin))
  return new Refusal('SESSION_ENDED', endedMessage)
}

// Concurrent requests of one browser change a session at most once each: none needs more attempts than this.
const turnsMax = 20
const longAgo = new Date(0)

async function resume(world: World, asked: Asking, value: string): Promise<Actor> {
  asked.refuseForeignPages()
  const presented = readCookie(world.seals, asked.tenant.id, value)
  if (!presented) throw unreadable(asked)
  for (let turn = 0; turn < turnsMax; turn++) {
    const found = await findSignedIn(world, asked, presented.sessionId)
    if (!found?.user.isEnabled) throw ended()
    if (!found.isAllowedFrom(asked.sourceAddress)) throw new Refusal('SOURCE_ADDRESS_DENIED', `${addressDenied}.`)
    // Another request changed the session in the meantime: its new state decides.
    const isFresh = await admit(world, asked, found, presented)
    if (isFresh !== null) return actorOf(world, asked, found, isFresh)
  }
  throw new Refusal('LOST_RACE', 'The session was being changed by other requests; try again.')
}

/** Whether the cookie is the current one, rather than the one before; null if the session was changed in the meantime. */
async function admit(
  world: World,
  asked: Asking,
  { session, user }: SignedIn,
  presented: Presented,
): Promise<boolean | null> {
  const { db, seals } = world
  const at = world.now()
  if (isFromBeforeRestore(world, session.createdAt)) throw ended()
  const standing = standingOf(session, presented, at)
  switch (standing) {
    case 'ended':
      throw ended(session.endedWhy)
    case 'good':
      return true
    case 'lingers':
      return false
    case 'confirms': {
      const isOurs = await replaceSession(db, seals, asked.tenant.id, session, afterConfirm(session, presented, at))
      return isOurs ? true : null
    }
    case 'offers': {
      // A late reply could replace a newer cookie in the browser by an older one.
      if (asked.mayTakeLong) return true
      const offered = afterOffer(session, at)
      if (!(await replaceSession(db, seals, asked.tenant.id, session, offered))) return null
      const next = { sessionId: session.id, generation: session.generation + 1, branch: offered.offers }
      const maxAgeSeconds = Math.floor((session.expiresAt.getTime() - at.getTime()) / 1000)
      const text = cookieValue(seals, asked.tenant.id, next)
      asked.sendHeader('set-cookie', sessionCookie(text, maxAgeSeconds, asked.origin))
      return true
    }
    case 'COOKIE_REUSED':
    case 'COOKIE_NOT_REPLACED':
    case 'RECORD_SET_BACK':
    case 'ENDED_BY_ADMINISTRATOR':
      // Two parties have cookies of one session, and only one of them can be its owner: it ends for both.
      if (!(await transact(db, (tx) => endFor(tx, world, asked, { session, user }, standing)))) return null
      forget(world, session)
      throw ended(standing)
  }
}

function actorOf(world: World, asked: Asking, found: SignedIn, isFresh: boolean): Actor {
  const { session, user } = found
  world.memory(lastSeen).note(asked.tenant.id, session.id, session.lastSeenAt)
  return {
    userId: user.id,
    name: user.name,
    email: user.email,
    roleIds: found.roleIds,
    credentialId: '',
    clientId: '',
    tokenId: '',
    sessionId: session.id,
    // Not with the previous cookie: someone who copied that has it too.
    freshUntil: isFresh ? new Date(session.createdAt.getTime() + session.freshSeconds * 1000) : longAgo,
    permissions: found.permissions,
    permissionsOnOwned: found.permissionsOnOwned,
    limits: { roleIds: [], sourceCidrs: [] },
  }
}

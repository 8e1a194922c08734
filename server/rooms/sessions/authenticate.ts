import { Refusal } from '#kernel/refusals.ts'
import type { Actor, Tenancy } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { isFromBeforeRestore, record, signOut } from '#rooms/systemlog/index.ts'
import { authenticate as authenticateBearer } from '#rooms/tokens/index.ts'
import { cookieIn, sessionCookie } from './cookie.ts'
import { graceMs, standingOf } from './decide.ts'
import { findSignedIn, type SignedIn } from './identities.ts'
import { lastSeen } from './last-seen.ts'
import { hashOf, isSecret, newSecret } from './secret.ts'
import { deleteSession, retirePrevious, rotateSession } from './store.ts'

export type Asking = {
  tenant: Tenancy
  requestId: string
  sourceAddress: string
  authorization: string | undefined
  cookie: string | undefined
  origin: string
  sendHeader: (name: string, value: string) => void
  refuseForeignPages: () => void
}

/** Who a request speaks for: by its Authorization header where it has one, else by the console's cookie. */
export function authenticate(world: World, asked: Asking): Actor | Promise<Actor> {
  if (asked.authorization !== undefined || asked.cookie === undefined) return authenticateBearer(world, asked)
  const secret = cookieIn(asked.cookie, 'bailiwick', asked.origin)
  return secret === null ? authenticateBearer(world, asked) : resume(world, asked, secret)
}

const ended = (): Refusal => new Refusal('SESSION_ENDED', 'The session has ended; sign in again.')

async function resume(world: World, asked: Asking, secret: string): Promise<Actor> {
  asked.refuseForeignPages()
  if (!isSecret(secret)) throw ended()
  const hash = hashOf(secret)
  const found = await findSignedIn(world, asked.tenant.id, hash)
  if (!found?.user.isEnabled) throw ended()
  const { session } = found
  if (isFromBeforeRestore(world, session.createdAt)) throw ended()
  const standing = standingOf(session, hash, world.now())
  if (standing === 'ended') throw ended()
  if (standing === 'stolen') {
    await endStolen(world, asked, found)
    throw ended()
  }
  if (standing === 'confirms') {
    // Its requests that are under way may still carry the secret before.
    const until = new Date(world.now().getTime() + graceMs)
    await retirePrevious(world.db, asked.tenant.id, session, until)
  }
  if (standing === 'rotates') await rotate(world, asked, found, hash)
  world.memory(lastSeen).note(asked.tenant.id, session.id, session.lastSeenAt)
  return {
    userId: found.user.id,
    name: found.user.name,
    email: found.user.email,
    roleIds: found.roleIds,
    credentialId: '',
    clientId: '',
    tokenId: '',
    sessionId: session.id,
    permissions: found.permissions,
    permissionsOnOwned: found.permissionsOnOwned,
    limits: { roleIds: [], sourceCidrs: [] },
  }
}

/** Gives the browser a new secret, unless another of its requests just was given one. */
async function rotate(world: World, asked: Asking, { session }: SignedIn, presented: Buffer): Promise<void> {
  const next = newSecret()
  const at = world.now()
  const isOurs = await rotateSession(world.db, asked.tenant.id, session, { presented, next: hashOf(next), at })
  if (!isOurs) return
  const maxAgeSeconds = Math.floor((session.expiresAt.getTime() - at.getTime()) / 1000)
  asked.sendHeader('set-cookie', sessionCookie(next, maxAgeSeconds, asked.origin))
}

/** Two browsers hold secrets of one session, and only one of them can be the rightful: neither goes on. */
async function endStolen(world: World, asked: Asking, { session, user }: SignedIn): Promise<void> {
  await transact(world.db, async (tx) => {
    const gone = await deleteSession(tx, asked.tenant.id, user.id, session.id)
    const why = 'the session was ended, because a cookie was used that had been replaced'
    if (gone) await record(tx, world, asked, signOut(asked, user, session.id, why))
  })
}

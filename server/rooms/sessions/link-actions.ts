import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type Cause, change, isFromBeforeRestore, record } from '#rooms/systemlog/index.ts'
import { type Begun, beginSession, giveCookie, refuseSignIn } from './begin.ts'
import { linkMsMax } from './decide.ts'
import { findPerson, type Person } from './person.ts'
import { hashOf, newSecret } from './secret.ts'
import { insertLink, takeLink } from './store-links.ts'

export type Link = { token: string; expiresAt: Date }

/** Makes a sign-in link of a user, good for one use. Its token is in the answer and nowhere else, ever. */
export async function makeLink(tx: Tx, world: World, cause: Cause, userId: string): Promise<Link> {
  const createdAt = world.now()
  const user = await findPerson(tx, cause.tenant.id, userId, createdAt)
  if (!user) throw new Refusal('USER_NOT_FOUND', `There is no user ${userId}.`, { metadata: { userIds: userId } })
  if (!user.isEnabled) throw new Refusal('USER_DISABLED', `${user.email || user.name} is disabled, and cannot sign in.`)
  const token = newSecret()
  const id = world.newId()
  const expiresAt = new Date(createdAt.getTime() + linkMsMax)
  await insertLink(tx, cause.tenant.id, { id, userId, secretSha256: hashOf(token), createdAt, expiresAt })
  const touched = [
    { type: 'sign-in link', id, data: { expiresAt } },
    { type: 'user', id: userId, name: user.name },
  ]
  await record(tx, world, cause, change(cause, 'create', `Made a sign-in link for ${user.name}`, touched))
  return { token, expiresAt }
}

/** One answer for a link that never was, was used, is of another tenant, or is too old. */
const worthless = 'This sign-in link is not valid: a link works once, within 15 minutes. Ask for a new one.'

export async function signInByLink(call: Call, token: string): Promise<Begun> {
  const outcome = await transact(call.db, async (tx): Promise<Begun | { user: Person | null; reason: string }> => {
    const link = await takeLink(tx, call.tenant.id, hashOf(token))
    if (!link) return { user: null, reason: 'the link is unknown, or was used before' }
    const user = await findPerson(tx, call.tenant.id, link.userId, call.now())
    if (isFromBeforeRestore(call, link.createdAt)) return { user, reason: 'the link is from before the restore' }
    if (link.expiresAt <= call.now()) return { user, reason: 'the link has expired' }
    if (!user?.isEnabled) return { user, reason: 'the user is disabled' }
    return beginSession(tx, call, user, 'link')
  })
  if ('reason' in outcome) throw await refuseSignIn(call, 'link', outcome.user, outcome.reason, worthless)
  giveCookie(call, outcome)
  return outcome
}

import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import {
  alarm,
  type CauseBy,
  change,
  isFromBeforeRestore,
  record,
  reportForged,
} from '#rooms/foundation/systemlog/index.ts'
import { type Begun, beginSession, giveCookie, refuseSignIn } from '../begin.ts'
import { findPolicy } from '../current-policy.ts'
import { linkMsMax } from '../decide.ts'
import { identified } from '../identified.ts'
import { findPerson, type Person } from '../person.ts'
import { hashOf, newSecret } from '../secret.ts'
import { spent } from '../spent.ts'
import { insertLink, isAuthenticLink, takeLink } from './store.ts'

export type Link = { token: string; expiresAt: Date }

/**
 * Creates a sign-in link of a user, for one use. Its token is only in this reply, and never shown again. If the policy
 * of the tenant has no links, only the operator's break-glass link can be created; that is an event of high severity.
 */
export async function makeLink(
  tx: Tx,
  world: World,
  cause: CauseBy<'operator'>,
  userId: string,
  isBreakGlass = false,
): Promise<Link> {
  const createdAt = world.now()
  const user = await findPerson(tx, cause.tenant.id, userId, createdAt)
  if (!user) throw new Refusal('USER_NOT_FOUND', `There is no user ${userId}.`, { metadata: { userIds: userId } })
  if (user.isPrincipal) throw new Refusal('NOT_A_PERSON', `${user.name} is a service principal, and cannot sign in.`)
  if (!user.isEnabled) throw new Refusal('USER_DISABLED', `${user.email || user.name} is disabled, and cannot sign in.`)
  const { methods } = await findPolicy(world, tx, cause)
  if (!methods.includes('link') && !isBreakGlass)
    throw new Refusal('SIGN_IN_REFUSED', 'The sign-in policy of the tenant does not allow sign-in links.')
  const token = newSecret()
  const id = world.newId()
  const expiresAt = new Date(createdAt.getTime() + linkMsMax)
  const link = { id, userId, secretSha256: hashOf(token), isBreakGlass, createdAt, expiresAt }
  await insertLink(tx, world.seals, cause.tenant.id, link)
  const touched = [
    { type: 'sign-in link', id, data: { expiresAt, isBreakGlass } },
    { type: 'user', id: userId, name: user.name },
  ]
  const made = isBreakGlass ? 'Created a break-glass sign-in link' : 'Created a sign-in link'
  const event = change(cause, 'create', `${made} for ${user.name}`, touched)
  await record(tx, world, cause, isBreakGlass ? alarm(event) : event)
  return { token, expiresAt }
}

/** The same message for a link that never existed, was used, belongs to another tenant, or has expired. */
const worthless = 'This sign-in link is not valid: a link works once, within 15 minutes. Ask for a new one.'

type Used = Begun & { linkId: string; linkExpiresAt: Date }
type Outcome = Used | { user: Person | null; reason: string; told?: string }

export async function signInByLink(call: Call, token: string): Promise<Begun> {
  const outcome = await transact(call.db, (tx) => useLink(tx, call, hashOf(token)))
  if ('reason' in outcome)
    throw await refuseSignIn(call, 'link', outcome.user, outcome.reason, outcome.told ?? worthless)
  call.memory(spent).add(`link ${outcome.linkId}`, outcome.linkExpiresAt)
  giveCookie(call, outcome)
  return outcome
}

async function useLink(tx: Tx, call: Call, secretSha256: Buffer): Promise<Outcome> {
  const link = await takeLink(tx, call.tenant.id, secretSha256)
  if (!link) return { user: null, reason: 'the link is unknown, or was used before' }
  if (!isAuthenticLink(call.seals, call.tenant.id, link)) {
    await reportForged(call, call, { type: 'sign-in link', id: link.id })
    return { user: null, reason: 'the link was not created by this program' }
  }
  if (call.memory(spent).has(`link ${link.id}`)) {
    await reportForged(call, call, { type: 'sign-in link that was used', id: link.id })
    return { user: null, reason: 'the link was used before, and put back into the database' }
  }
  const user = await findPerson(tx, call.tenant.id, link.userId, call.now())
  if (isFromBeforeRestore(call, link.createdAt)) return { user, reason: 'the link is from before the restore' }
  if (link.expiresAt <= call.now()) return { user, reason: 'the link has expired' }
  if (!user?.isEnabled) return { user, reason: 'the user is disabled' }
  const { methods } = await findPolicy(call, tx, call)
  if (!methods.includes('link') && !link.isBreakGlass)
    return { user, reason: 'the sign-in policy does not allow sign-in links' }
  const begun = await beginSession(tx, call, identified(user, 'link'))
  return 'reason' in begun ? begun : { ...begun, linkId: link.id, linkExpiresAt: link.expiresAt }
}

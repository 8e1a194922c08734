import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import {
  alarm,
  type Cause,
  type CauseBy,
  causeOf,
  change,
  isSetAside,
  record,
  reportForged,
} from '#rooms/foundation/systemlog/index.ts'
import { findUserByEmail } from '#rooms/identity/users/index.ts'
import { findPerson, type Person } from '../person.ts'
import { mayLinkByEmail } from './may-link.ts'
import { deleteIdentity, findIdentity, type Identity, insertIdentity, isAuthenticIdentity } from './store.ts'

/** The person whom the provider identified. `email` is empty if the provider has not verified it. */
export type AtProvider = { issuer: string; subject: string; email: string }

type Linked = { userId: string; user: Person | null }
type Refused = {
  code: 'EMAIL_UNVERIFIED' | 'USER_UNKNOWN' | 'EMAIL_LINKED' | 'LINK_NEEDED'
  reason: string
  user: Person | null
}

/** The user who is linked with someone at the provider, regardless of their present email address. */
export async function findLinked(tx: Tx, call: Call, { issuer, subject }: AtProvider): Promise<Linked | null> {
  const row = await findIdentity(tx, call.tenant.id, issuer, subject)
  if (!row) return null
  if (!isAuthenticIdentity(call.seals, call.tenant.id, row)) {
    await reportForged(call, call, { type: 'OpenID Connect identity', id: row.id })
    return { userId: '', user: null }
  }
  // It may have been unlinked since the backup: the person is linked again as if for the first time.
  if (isSetAside(call, call.tenant.id, { id: row.id, createdAt: row.linkedAt, approvalMac: null })) {
    await deleteIdentity(tx, call.tenant.id, row.userId, row.id)
    return null
  }
  return { userId: row.userId, user: await findPerson(tx, call.tenant.id, row.userId, call.now()) }
}

/** Links someone at the provider with the signed-in user, or otherwise with the one who has their email address. */
export async function linkIdentity(
  tx: Tx,
  call: Call,
  person: AtProvider,
  askedByUserId: string,
): Promise<Linked | Refused> {
  if (person.email === '') {
    const reason = 'the OpenID Connect provider has not verified the email address'
    return { code: 'EMAIL_UNVERIFIED', reason, user: null }
  }
  const match = await findUserByEmail(tx, call.tenant.id, person.email)
  const user = match && (await findPerson(tx, call.tenant.id, match.id, call.now()))
  if (!user?.isEnabled || (askedByUserId !== '' && user.id !== askedByUserId)) {
    const reason = 'no enabled user has the email address of the provider'
    return { code: 'USER_UNKNOWN', reason: askedByUserId === '' ? reason : `${reason} and asked to be linked`, user }
  }
  if (askedByUserId === '' && !(await mayLinkByEmail(call, call.tenant.id, user.id, person.email)))
    return {
      code: 'LINK_NEEDED',
      reason: 'the user was granted an administrative role with another email address: link the identity first',
      user,
    }
  const identity: Identity = { ...person, id: call.newId(), userId: user.id, linkedAt: call.now() }
  if (!(await insertIdentity(tx, call.seals, call.tenant.id, identity)))
    return { code: 'EMAIL_LINKED', reason: 'the user is linked with another identity at the provider', user }
  const cause = causeOf(call)
  const message = `Linked ${user.name} with an identity at ${person.issuer}`
  await record(tx, call, cause, change(cause, 'create', message, touched(identity, user)))
  return { userId: user.id, user }
}

const touched = ({ id, issuer, subject, email }: Identity, user: { id: string; name: string }) => [
  { type: 'OpenID Connect identity', id, name: subject, data: { issuer, email } },
  { type: 'user', id: user.id, name: user.name },
]

/** An operator sets who a user is at the provider. */
export async function linkByOperator(
  tx: Tx,
  world: World,
  cause: CauseBy<'operator'>,
  userId: string,
  at: { issuer: string; subject: string },
): Promise<void> {
  const user = await getPerson(tx, world, cause, userId)
  const identity: Identity = { ...at, email: '', id: world.newId(), userId, linkedAt: world.now() }
  if (!(await insertIdentity(tx, world.seals, cause.tenant.id, identity)))
    throw new Refusal('SIGN_IN_REFUSED', 'The user or the identity is already linked; unlink it first.')
  const message = `Linked ${user.name} with an identity at ${at.issuer}`
  await record(tx, world, cause, alarm(change(cause, 'create', message, touched(identity, user))))
}

const identityNotFound = (id: string): Refusal =>
  new Refusal('IDENTITY_NOT_FOUND', `There is no identity ${id}.`, { metadata: { id } })

/** From then on nobody can sign in with the identity, unless it is linked again. */
export async function unlinkIdentity(
  tx: Tx,
  world: World,
  cause: CauseBy<'sessions.end' | 'own-sign-in.change' | 'operator'>,
  userId: string,
  id: string,
): Promise<Identity> {
  const user = await getPerson(tx, world, cause, userId)
  const gone = await deleteIdentity(tx, cause.tenant.id, userId, id)
  if (!gone) throw identityNotFound(id)
  const message = `Unlinked ${user.name} from an identity at ${gone.issuer}`
  await record(tx, world, cause, change(cause, 'delete', message, touched(gone, user)))
  return gone
}

async function getPerson(tx: Tx, world: World, { tenant }: Cause, userId: string): Promise<Person> {
  const user = await findPerson(tx, tenant.id, userId, world.now())
  if (!user) throw new Refusal('USER_NOT_FOUND', `There is no user ${userId}.`, { metadata: { userIds: userId } })
  return user
}

import { Refusal } from '#kernel/refusals.ts'
import type { Actor, Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import { identities, narrow } from '#rooms/identity/credentials/index.ts'
import { listRolesOfUser, permitted } from '#rooms/identity/roles/index.ts'
import { findPerson } from '#rooms/identity/users/index.ts'
import { refusalOf } from './authenticate.ts'

type Doing = World & { tenant: Tenancy }

/**
 * Who requested something that is done later, and how: with a credential, or in a session of the console. The client id
 * is followed by the roles that were requested for its token, if any: what is done later is limited to them.
 */
type Author = { authorId: string; clientId: string; sessionId: string; sourceAddress: string }

/** The form in which a caller is stored, until something is done for them later. */
export const authoredBy = ({ clientId, sessionId, tokenScope = [] }: Actor) => ({
  clientId: [clientId, ...tokenScope].join(' '),
  sessionId,
})

/**
 * The author of something that is done later, with what they may do now: with the credential that they used, if they
 * used one. Refuses if they could no longer make the request.
 */
export const actorLater = (doing: Doing, author: Author): Promise<Actor> =>
  author.clientId === '' ? bySession(doing, author) : byCredential(doing, author)

async function bySession(doing: Doing, { authorId, sessionId }: Author): Promise<Actor> {
  const person = await findPerson(doing.db, doing.tenant.id, authorId)
  if (person?.status !== 'ENABLED')
    throw new Refusal('USER_DISABLED', 'The author of the change is disabled or deleted.')
  const roles = await listRolesOfUser(doing, doing.tenant.id, authorId)
  return {
    userId: authorId,
    name: person.displayName,
    email: person.email,
    roleIds: roles.map(({ id }) => id),
    credentialId: '',
    clientId: '',
    tokenId: '',
    sessionId,
    ...permitted(roles, null),
    limits: { roleIds: [], sourceCidrs: [] },
  }
}

async function byCredential(doing: Doing, author: Author): Promise<Actor> {
  const { authorId, sourceAddress } = author
  const [clientId = '', ...scope] = author.clientId.split(' ')
  doing.memory(identities).forget(doing.tenant.id, clientId)
  const identity = await doing.memory(identities).find(doing.tenant.id, clientId)
  const refusal = refusalOf(identity, sourceAddress, doing.now())
  if (refusal) throw refusal
  if (!identity || identity.user.id !== authorId)
    throw new Refusal('CREDENTIAL_REVOKED', 'The API credential of the change was deleted.')
  const { user, roleIds, credentialId, permissions, permissionsOnOwned, limits } =
    scope.length > 0 ? await narrow(doing, doing.tenant.id, identity, scope) : identity
  return {
    userId: user.id,
    name: user.name,
    email: user.email,
    roleIds,
    credentialId,
    clientId,
    tokenId: '',
    sessionId: '',
    permissions,
    permissionsOnOwned,
    limits,
    ...(scope.length > 0 && { tokenScope: scope }),
  }
}

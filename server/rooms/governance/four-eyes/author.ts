import { Refusal } from '#kernel/refusals.ts'
import type { Actor, Route, Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import { asOwner } from '#rooms/governance/owners/index.ts'
import { identities } from '#rooms/identity/credentials/index.ts'
import { listRolesOfUser, permitted } from '#rooms/identity/roles/index.ts'
import { refusalOf } from '#rooms/identity/tokens/index.ts'
import { findPerson } from '#rooms/identity/users/index.ts'
import type { Change } from './change.ts'

type Doing = World & { tenant: Tenancy }

/**
 * The author of a change, with what they may do now: by the credential that they used, where they used one. Refuses where they
 * could not make the request any more.
 */
export async function authorOf(doing: Doing, change: Change, route: Route): Promise<Actor> {
  const actor = change.clientId === '' ? await bySession(doing, change) : await byCredential(doing, change)
  const { allow, allowOwners, about } = route
  const mayAsOwner =
    about.length > 0 && !actor.permissions.has(allowOwners) && actor.permissionsOnOwned.has(allowOwners)
  const admitted = mayAsOwner ? await asOwner(doing, { tenant: doing.tenant, actor, route, path: change.path }) : actor
  if (!(admitted instanceof Refusal) && admitted.permissions.has(allow)) return admitted
  if (actor.permissions.has(allow)) return actor
  throw new Refusal('PERMISSION_DENIED', `The author of the change no longer has the permission ${allow}.`)
}

async function bySession(doing: Doing, { authorId, sessionId }: Change): Promise<Actor> {
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

async function byCredential(doing: Doing, { authorId, clientId, sourceAddress }: Change): Promise<Actor> {
  doing.memory(identities).forget(doing.tenant.id, clientId)
  const identity = await doing.memory(identities).find(doing.tenant.id, clientId)
  const refusal = refusalOf(identity, sourceAddress, doing.now())
  if (refusal) throw refusal
  if (!identity || identity.user.id !== authorId)
    throw new Refusal('CREDENTIAL_REVOKED', 'The API credential of the change was deleted.')
  const { user, roleIds, credentialId, permissions, permissionsOnOwned, limits } = identity
  return {
    userId: user.id,
    name: user.name,
    email: user.email,
    ...{ roleIds, credentialId, clientId, tokenId: '', sessionId: '', permissions, permissionsOnOwned, limits },
  }
}

import type { World } from '#kernel/world.ts'
import { findProvenRoles, permitted } from '#rooms/identity/roles/index.ts'
import type { Identity } from './identities.ts'

// As an identity is read again twice a second, what its scopes permit is never older than that.
const narrowed = new WeakMap<Identity, Map<string, Identity>>()
const rememberedMax = 100

/**
 * The identity for a token that was issued for some roles only: it may do what both permit. It is limited to these
 * roles as a credential is limited to its scope, so that nothing it creates is less restricted. Without its roles it
 * permits nothing.
 */
export function narrow(
  world: World,
  tenantId: number,
  identity: Identity,
  scope: readonly string[],
): Identity | Promise<Identity> {
  return narrowed.get(identity)?.get(scope.join(' ')) ?? narrowAnew(world, tenantId, identity, scope)
}

async function narrowAnew(
  world: World,
  tenantId: number,
  identity: Identity,
  scope: readonly string[],
): Promise<Identity> {
  const roles = await findProvenRoles(world, tenantId, scope)
  const allowed = permitted(roles, null)
  const result = {
    ...identity,
    roleIds: roles.map(({ id }) => id),
    permissions: identity.permissions.intersection(allowed.permissions),
    permissionsOnOwned: identity.permissionsOnOwned.intersection(allowed.permissionsOnOwned),
    limits: { ...identity.limits, roleIds: scope },
  }
  const known = narrowed.get(identity) ?? new Map<string, Identity>()
  if (known.size < rememberedMax) narrowed.set(identity, known.set(scope.join(' '), result))
  return result
}

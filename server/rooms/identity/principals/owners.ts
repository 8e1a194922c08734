import { lackingEverywhere } from '#authority/may.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Actor, Call, Tenancy } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { reportForged } from '#rooms/foundation/systemlog/index.ts'
import { findProvenRoles, listRolesOfUser, permitted } from '#rooms/identity/roles/index.ts'
import { findUser, isPrincipal } from '#rooms/identity/users/index.ts'
import { isOwnerProven, ownerMac } from './proof.ts'
import { listNamedOwners, listOwnerRows, putOwnerMac } from './store.ts'

export const principalNotFound = (id: string): Refusal =>
  new Refusal('SERVICE_PRINCIPAL_NOT_FOUND', `There is no service principal ${id}.`, {
    metadata: { servicePrincipalId: id },
  })

type Owning = World & { tenant: Tenancy; actor: Pick<Actor, 'userId'> }

/** The principals that someone owns now, as far as this program recorded it. One, or all of them. */
export async function listOwnedPrincipals(call: Owning, principalId: string | null = null): Promise<string[]> {
  const { tenant, actor } = call
  const rows = await listOwnerRows(call.db, tenant.id, { userId: actor.userId, principalId })
  const owned = new Set<string>()
  for (const row of rows) {
    if (isOwnerProven(call.seals, tenant.id, row)) owned.add(row.principalId)
    // Owners of other users have none, as that ownership permits nothing.
    else if (row.mac !== null)
      await reportForged(call, tenant.id, { type: 'owner of a service principal', id: row.ownerId, userId: row.userId })
  }
  return [...owned]
}

export const ownsPrincipal = async (call: Owning, principalId: string): Promise<boolean> =>
  (await listOwnedPrincipals(call, principalId)).length > 0

type NamedOwners = { principalId: string; roleSlug: string; userIds: readonly string[] }

/** Records, with a MAC, who was added as an owner of a principal. */
export async function sealOwners(tx: Tx, world: World, tenantId: number, named: NamedOwners): Promise<void> {
  for (const row of await listNamedOwners(tx, tenantId, named))
    if (!isOwnerProven(world.seals, tenantId, row))
      await putOwnerMac(tx, tenantId, row, ownerMac(world.seals, tenantId, row))
}

/**
 * Called after owners of a user were added, in the same transaction: an owner of a service principal can act as it. So
 * nobody may add owners without having all of its permissions. Someone who, after a merge, was an owner only by the row
 * is a full one from then on.
 */
export async function proveOwners(tx: Tx, call: Call, named: NamedOwners, addedCount: number): Promise<void> {
  if (named.userIds.length === 0 && addedCount === 0) return
  const user = await findUser(tx, call.tenant.id, named.principalId, call.now())
  if (!user || !isPrincipal(user)) return
  const rows = await listNamedOwners(tx, call.tenant.id, named)
  if (addedCount === 0 && rows.every((row) => isOwnerProven(call.seals, call.tenant.id, row))) return
  await refuseBeyondPrincipal(call, named.principalId)
  await sealOwners(tx, call, call.tenant.id, named)
}

/**
 * Whoever acts as a principal may do what its roles permit, with what the principal owns. So only someone who may do
 * all of that themselves, everywhere, can create a credential for it, add its owners or delete it. A scope reduces
 * this.
 */
export async function refuseBeyondPrincipal(
  call: Call,
  principalId: string,
  scopedRoles: readonly string[] = [],
): Promise<void> {
  const own = await listRolesOfUser(call, call.tenant.id, principalId)
  const scope = scopedRoles.length > 0 ? await findProvenRoles(call, call.tenant.id, scopedRoles) : null
  const { permissions, permissionsOnOwned } = permitted(own, scope)
  const missing = lackingEverywhere(call.actor, permissions.union(permissionsOnOwned))
  if (missing.length > 0)
    throw new Refusal(
      'PERMISSION_DENIED',
      `The roles of the service principal permit more than you may do: ${missing.join(', ')}.`,
      { metadata: { servicePrincipalId: principalId, permission: missing.join(',') } },
    )
}

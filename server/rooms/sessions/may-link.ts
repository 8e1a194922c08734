import type { Reads } from '#kernel/sql.ts'
import { builtInRoles, listRolesOfUser, permitted } from '#rooms/roles/index.ts'

const basic: ReadonlySet<string> = new Set(builtInRoles['system:user'].permissions)

/**
 * Whether a user may be linked with an identity at the provider only because the provider vouches for the email address that
 * they have here. Addresses carry no MAC: whoever can write to the database could give an administrator their own
 * address. So it does for those who may do no more than a Basic User; others link the identity themselves, signed in
 * by another way, or an operator does.
 */
export async function mayLinkByEmail(db: Reads, tenantId: number, userId: string): Promise<boolean> {
  const roles = await listRolesOfUser(db, tenantId, userId)
  const { permissions, permissionsOnOwned } = permitted(roles, null)
  return [...permissions, ...permissionsOnOwned].every((permission) => basic.has(permission))
}

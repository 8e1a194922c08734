import type { Reads } from '#kernel/sql.ts'
import { findRole, listRoles, type Role } from '#rooms/identity/roles/index.ts'
import { UsageError } from '#server/settings/config.ts'
import { listMax } from './values.ts'

/** The roles with these names or ids; refuses with those that can be chosen. */
export async function getRoles(db: Reads, tenantId: number, names: readonly string[]): Promise<Role[]> {
  const found = await Promise.all(names.map((name) => findRole(db, tenantId, name)))
  const unknown = names.find((_, at) => !found[at])
  if (unknown !== undefined) {
    const roles = await listRoles(db, tenantId, { after: null, limit: listMax })
    const choices = roles.map(({ name, displayName }) => `${name} (${displayName})`).toSorted()
    throw new UsageError(`there is no role ${JSON.stringify(unknown)}; choose one of: ${choices.join(', ')}`)
  }
  return found.flatMap((role) => (role ? [role] : []))
}

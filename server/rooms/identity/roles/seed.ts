import { transact } from '#kernel/sql.ts'
import { forEachTenant, listTenantIds } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { builtInRoles } from './permissions.ts'
import { countBuiltInRoles, insertBuiltInRoles } from './store.ts'

/** Adds a built-in role to tenants that are older than the role. Rows have a MAC, so a migration cannot do it. */
export async function seedBuiltInRoles(world: World): Promise<void> {
  const wanted = Object.keys(builtInRoles).length
  await forEachTenant(await listTenantIds(world.db), async (tenantId) => {
    if ((await countBuiltInRoles(world.db, tenantId)) >= wanted) return
    await transact(world.db, (tx) => insertBuiltInRoles(tx, tenantId, world))
  })
}

import { transact } from '#kernel/sql.ts'
import { forEachTenant } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { deleteOld, keptDays, listTenantsWithOld } from './store/deliveries.ts'

/** Deletes attempts that are a month old. Run by the engine. */
export async function forgetDeliveries(world: World): Promise<void> {
  const before = new Date(world.now().getTime() - keptDays * 86_400_000)
  const tenantIds = await listTenantsWithOld(world.db, before)
  await forEachTenant(tenantIds, (tenantId) => transact(world.db, (tx) => deleteOld(tx, tenantId, before)))
}

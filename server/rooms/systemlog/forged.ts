import { budget } from '#kernel/budget.ts'
import { slot } from '#kernel/memory.ts'
import type { World } from '#kernel/world.ts'
import { findTenant } from '#rooms/tenants/index.ts'
import { forgery } from './event.ts'
import { grouped } from './record.ts'

/** A row that was not written by this program: what kind, which one, and whose. */
export type ForgedRow = { type: string; id: string; userId: string }

/** Once an hour for each row, however often it is met. */
const reports = slot((world) => budget(world, { burst: 1, perSecond: 1 / 3600 }))

/** Reports a row whose MAC is missing or wrong: in the tenant's system log, and as an error in the server's log. */
export async function reportForged(world: World, tenantId: number, row: ForgedRow): Promise<void> {
  if (world.memory(reports).take(JSON.stringify([tenantId, row.type, row.id])) === null) return
  world.log.error({ tenantId, ...row }, `the ${row.type} was changed in the database without the secret key: ignored`)
  const tenant = await findTenant(world.db, tenantId)
  if (tenant) await world.memory(grouped).record(tenantId, forgery(tenant, row))
}

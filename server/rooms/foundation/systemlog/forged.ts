import { budget } from '#kernel/budget.ts'
import { slot } from '#kernel/memory.ts'
import type { World } from '#kernel/world.ts'
import { findTenant } from '#rooms/foundation/tenants/index.ts'
import { type ForgedRow, forgedRow, type MetBy } from './events/forged.ts'
import { grouped } from './record.ts'

/** Once per hour for each row, however often it is found. */
const reports = slot((world) => budget(world, { burst: 1, perSecond: 1 / 3600 }))

/** Reports a row whose MAC is missing or wrong, and which does not count: in the tenant's system log, and in the server's. */
export async function reportForged(world: World, by: MetBy | number, row: ForgedRow): Promise<void> {
  const tenantId = typeof by === 'number' ? by : by.tenant.id
  if (world.memory(reports).take(JSON.stringify([tenantId, row.type, row.id])) === null) return
  world.log.error({ tenantId, ...row }, `the ${row.type} was changed in the database without the secret key: ignored`)
  const met = typeof by === 'number' ? await metByNobody(world, tenantId) : by
  if (met) await world.memory(grouped).record(tenantId, forgedRow(met, row))
}

async function metByNobody({ db }: World, tenantId: number): Promise<MetBy | null> {
  const tenant = await findTenant(db, tenantId)
  return tenant && { tenant, operation: 'integrity check', requestId: '', sourceAddress: '' }
}

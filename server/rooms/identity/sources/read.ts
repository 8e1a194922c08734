import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type MetBy, reportForged } from '#rooms/foundation/systemlog/index.ts'
import { closedLimits, noLimits, type SourceLimits } from './limits.ts'
import { findLimitsRow, isAuthenticLimits } from './store.ts'

/** From which addresses a tenant may be reached at present. */
export async function findSourceLimits(world: World, db: Reads, where: MetBy | number): Promise<SourceLimits> {
  const tenantId = typeof where === 'number' ? where : where.tenant.id
  const row = await findLimitsRow(db, tenantId)
  if (!row) return noLimits
  if (isAuthenticLimits(world.seals, tenantId, row)) return row.limits
  await reportForged(world, where, { type: 'source limits', id: String(tenantId) })
  return closedLimits
}

import { isSameMac, type Seals } from '#kernel/seals.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { type SourceLimits, sourceNames } from './limits.ts'

export type LimitsRow = { limits: SourceLimits; updatedAt: Date; mac: Buffer }

const limitsMac = (seals: Seals, tenantId: number, { limits, updatedAt }: Omit<LimitsRow, 'mac'>): Buffer =>
  seals.mac(
    'source limits',
    String(tenantId),
    // In a fixed order: the database stores them in another.
    JSON.stringify(sourceNames.map((name) => [name, limits[name]?.enabled, limits[name]?.sourceCidr])),
    String(updatedAt.getTime()),
  )
export const isAuthenticLimits = (seals: Seals, tenantId: number, row: LimitsRow): boolean =>
  isSameMac(row.mac, limitsMac(seals, tenantId, row))

export async function findLimitsRow(db: Reads, tenantId: number): Promise<LimitsRow | null> {
  const [row] = await db<LimitsRow[]>`
    select s.limits, s.updated_at as "updatedAt", s.mac from source_limits s where s.tenant_id = ${tenantId}`
  return row ?? null
}

export async function putLimits(tx: Tx, seals: Seals, tenantId: number, row: Omit<LimitsRow, 'mac'>): Promise<void> {
  await tx`
    insert into source_limits (tenant_id, limits, updated_at, mac)
    values (${tenantId}, ${tx.json(row.limits)}, ${row.updatedAt}, ${limitsMac(seals, tenantId, row)})
    on conflict (tenant_id) do update set limits = excluded.limits, updated_at = excluded.updated_at, mac = excluded.mac`
}

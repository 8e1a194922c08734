import { isSameMac, type Seals } from '#kernel/seals.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { rowMac } from '../row-mac.ts'
import type { SignInPolicy } from './policy.ts'

export type PolicyRow = SignInPolicy & { updatedAt: Date; mac: Buffer }

const policyMac = (seals: Seals, tenantId: number, row: Omit<PolicyRow, 'mac'>): Buffer =>
  rowMac(seals, 'sign-in policy', tenantId, [
    row.methods,
    row.idleSeconds,
    row.sessionSeconds,
    row.freshSeconds,
    row.updatedAt,
  ])
export const isAuthenticPolicy = (seals: Seals, tenantId: number, row: PolicyRow): boolean =>
  isSameMac(row.mac, policyMac(seals, tenantId, row))

export async function findPolicyRow(db: Reads, tenantId: number): Promise<PolicyRow | null> {
  const [row] = await db<PolicyRow[]>`
    select methods, idle_seconds as "idleSeconds", session_seconds as "sessionSeconds",
      fresh_seconds as "freshSeconds", updated_at as "updatedAt", mac
    from sign_in_policies where tenant_id = ${tenantId}`
  return row ?? null
}

export async function putPolicy(tx: Tx, seals: Seals, tenantId: number, row: Omit<PolicyRow, 'mac'>): Promise<void> {
  await tx`
    insert into sign_in_policies (tenant_id, methods, idle_seconds, session_seconds, fresh_seconds, updated_at, mac)
    values (${tenantId}, ${row.methods}, ${row.idleSeconds}, ${row.sessionSeconds}, ${row.freshSeconds},
      ${row.updatedAt}, ${policyMac(seals, tenantId, row)})
    on conflict (tenant_id) do update set methods = excluded.methods, idle_seconds = excluded.idle_seconds,
      session_seconds = excluded.session_seconds, fresh_seconds = excluded.fresh_seconds,
      updated_at = excluded.updated_at, mac = excluded.mac`
}

import type { May } from '#authority/proof.ts'
import type { Reads, Tx } from '#kernel/sql.ts'

export type RequestSettings = { skipJustification: boolean }

/** The default until an administrator changes it: clients that send no description continue to work. */
const atFirst: RequestSettings = { skipJustification: true }

export async function findSettings(db: Reads, tenantId: number): Promise<RequestSettings> {
  const [row] = await db<RequestSettings[]>`
    select s.skips_justification as "skipJustification" from request_settings s where s.tenant_id = ${tenantId}`
  return row ?? atFirst
}

export async function putSettings(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'terms.change'>,
  { skipJustification }: RequestSettings,
  at: Date,
): Promise<void> {
  await tx`
    insert into request_settings (tenant_id, skips_justification, updated_at)
    values (${tenantId}, ${skipJustification}, ${at})
    on conflict (tenant_id) do update set skips_justification = excluded.skips_justification, updated_at = excluded.updated_at`
}

import type { Reads, Tx } from '#kernel/sql.ts'

export type OidcRow = { issuer: string; clientId: string; sealedClientSecret: Buffer | null; updatedAt: Date }

export async function findOidc(db: Reads, tenantId: number): Promise<OidcRow | null> {
  const [row] = await db<OidcRow[]>`
    select issuer, client_id as "clientId", sealed_client_secret as "sealedClientSecret", updated_at as "updatedAt"
    from oidc_providers where tenant_id = ${tenantId}`
  return row ?? null
}

export async function putOidc(tx: Tx, tenantId: number, row: OidcRow): Promise<void> {
  await tx`
    insert into oidc_providers (tenant_id, issuer, client_id, sealed_client_secret, updated_at)
    values (${tenantId}, ${row.issuer}, ${row.clientId}, ${row.sealedClientSecret}, ${row.updatedAt})
    on conflict (tenant_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
      sealed_client_secret = excluded.sealed_client_secret, updated_at = excluded.updated_at`
}

/** What was there, or null. */
export async function deleteOidc(tx: Tx, tenantId: number): Promise<Pick<OidcRow, 'issuer' | 'clientId'> | null> {
  const [row] = await tx<Pick<OidcRow, 'issuer' | 'clientId'>[]>`
    delete from oidc_providers where tenant_id = ${tenantId} returning issuer, client_id as "clientId"`
  return row ?? null
}

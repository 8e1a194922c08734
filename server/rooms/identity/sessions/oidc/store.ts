import { isSameMac, type Seals } from '#kernel/seals.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { rowMac } from '../row-mac.ts'

export type Provider = { issuer: string; clientId: string; sealedClientSecret: Buffer | null; updatedAt: Date }
export type OidcRow = Provider & { mac: Buffer | null }

const providerMac = (seals: Seals, tenantId: number, row: Provider): Buffer =>
  rowMac(seals, 'oidc provider', tenantId, [row.issuer, row.clientId, row.sealedClientSecret, row.updatedAt])
export const isAuthenticProvider = (seals: Seals, tenantId: number, row: OidcRow): boolean =>
  isSameMac(row.mac, providerMac(seals, tenantId, row))

const columns = (db: Reads) => db`
  issuer, client_id as "clientId", sealed_client_secret as "sealedClientSecret", updated_at as "updatedAt", mac`

/** The row in the database: whether this program wrote it is checked with `isAuthenticProvider`. */
export async function findOidcRow(db: Reads, tenantId: number): Promise<OidcRow | null> {
  const [row] = await db<OidcRow[]>`select ${columns(db)} from oidc_providers where tenant_id = ${tenantId}`
  return row ?? null
}

export async function putOidc(tx: Tx, seals: Seals, tenantId: number, row: Provider): Promise<void> {
  await tx`
    insert into oidc_providers (tenant_id, issuer, client_id, sealed_client_secret, updated_at, mac)
    values (${tenantId}, ${row.issuer}, ${row.clientId}, ${row.sealedClientSecret}, ${row.updatedAt},
      ${providerMac(seals, tenantId, row)})
    on conflict (tenant_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
      sealed_client_secret = excluded.sealed_client_secret, updated_at = excluded.updated_at, mac = excluded.mac`
}

/** The deleted provider, or null. */
export async function deleteOidc(tx: Tx, tenantId: number): Promise<Pick<OidcRow, 'issuer' | 'clientId'> | null> {
  const [row] = await tx<Pick<OidcRow, 'issuer' | 'clientId'>[]>`
    delete from oidc_providers where tenant_id = ${tenantId} returning issuer, client_id as "clientId"`
  return row ?? null
}

/** Those that have no MAC yet; for the one start that adds them. */
export async function listOidcWithoutMac(tx: Tx, tenantId: number): Promise<OidcRow[]> {
  return tx<OidcRow[]>`
    select ${columns(tx)} from oidc_providers where tenant_id = ${tenantId} and mac is null for update`
}

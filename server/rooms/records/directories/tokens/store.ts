import type { May } from '#authority/proof.ts'
import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { DirectoryToken } from '../directory.ts'

/** With what verifies its secret, and the MAC of the row. */
export type KeptToken = DirectoryToken & { secretSha256: Buffer; mac: Buffer }

const columns = (db: Reads) => db`
  token_id as id, app_id as "appId", secret_sha256 as "secretSha256", created_by as "createdBy",
  created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt", mac`

export async function insertToken(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'directories.change'>,
  token: KeptToken,
): Promise<void> {
  await tx`
    insert into directory_tokens (tenant_id, token_id, app_id, secret_sha256, created_by, created_at, expires_at, mac)
    values (${tenantId}, ${token.id}, ${token.appId}, ${token.secretSha256}, ${token.createdBy}, ${token.createdAt},
      ${token.expiresAt}, ${token.mac})`
}

export async function findToken(db: Reads, tenantId: number, id: string): Promise<KeptToken | null> {
  const [row] = await db<KeptToken[]>`
    select ${columns(db)} from directory_tokens where tenant_id = ${tenantId} and token_id = ${id}`
  return row ?? null
}

/** Those that were not revoked, expired or not. */
export async function listTokenPage(
  db: Reads,
  tenantId: number,
  appId: string,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<KeptToken[]> {
  return db<KeptToken[]>`
    select ${columns(db)} from directory_tokens
    where tenant_id = ${tenantId} and app_id = ${appId} and revoked_at is null and token_id > ${page.after?.[0] ?? ''}
    order by token_id limit ${page.limit}`
}

/** The newest ones: only a few have not expired. */
export async function listTokens(db: Reads, tenantId: number, appId: string): Promise<KeptToken[]> {
  return db<KeptToken[]>`
    select ${columns(db)} from directory_tokens
    where tenant_id = ${tenantId} and app_id = ${appId} and revoked_at is null
    order by token_id desc limit 1000`
}

/** Updates a token's expiry, the only field that can be changed. */
export async function updateToken(
  tx: Tx,
  tenantId: number,
  { id, expiresAt, revokedAt, mac }: KeptToken,
): Promise<void> {
  await tx`
    update directory_tokens set expires_at = ${expiresAt}, revoked_at = ${revokedAt}, mac = ${mac}
    where tenant_id = ${tenantId} and token_id = ${id}`
}

export async function updateTokenUse(db: Reads, tenantId: number, id: string, at: Date): Promise<void> {
  await db`
    update directory_tokens set last_used_at = greatest(last_used_at, created_at, ${at})
    where tenant_id = ${tenantId} and token_id = ${id}`
}

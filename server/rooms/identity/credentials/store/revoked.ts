import type { Reads, Tx } from '#kernel/sql.ts'
import { forEachTenant, listTenantsWith } from '#kernel/tenants-with.ts'

/** Per credential, at one time. */
export const revokedMax = 1000

/** The ids of a credential's access tokens that were revoked and would not have expired yet. */
async function listRevokedTokens(db: Reads, tenantId: number, credentialId: string, now: Date): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select token_id as id from revoked_tokens
    where tenant_id = ${tenantId} and credential_id = ${credentialId} and expires_at > ${now}
    limit ${revokedMax}`
  return rows.map(({ id }) => id)
}

export type RevokedToken = { credentialId: string; tokenId: string; expiresAt: Date }

/** Whether this call revoked it: `known` if it was revoked before, `full` if there are as many as are looked up. */
export async function insertRevokedToken(
  tx: Tx,
  tenantId: number,
  { credentialId, tokenId, expiresAt }: RevokedToken,
  now: Date,
): Promise<'revoked' | 'known' | 'full'> {
  // Of two at once, one counts after the other.
  await tx`
    select 1 from credentials where tenant_id = ${tenantId} and credential_id = ${credentialId} for no key update`
  const known = await listRevokedTokens(tx, tenantId, credentialId, now)
  if (known.includes(tokenId)) return 'known'
  if (known.length >= revokedMax) return 'full'
  await tx`
    insert into revoked_tokens (tenant_id, credential_id, token_id, expires_at)
    values (${tenantId}, ${credentialId}, ${tokenId}, ${expiresAt}) on conflict do nothing`
  return 'revoked'
}

// Another server's clock may be slow: what has expired here may not have there.
const skewMs = 60_000

/** Expired tokens are refused anyway; run by the engine. */
export async function deleteExpiredRevocations(db: Reads, now: Date): Promise<void> {
  const before = new Date(now.getTime() - skewMs)
  const tenantIds = await listTenantsWith(
    db,
    (after) => db`select tenant_id from revoked_tokens where expires_at < ${before} and tenant_id > ${after}`,
  )
  await forEachTenant(
    tenantIds,
    (tenantId) => db`delete from revoked_tokens where tenant_id = ${tenantId} and expires_at < ${before}`,
  )
}

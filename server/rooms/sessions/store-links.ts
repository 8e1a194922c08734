import type { Reads, Tx } from '#kernel/sql.ts'

export type NewLink = { id: string; userId: string; secretSha256: Buffer; createdAt: Date; expiresAt: Date }

export async function insertLink(tx: Tx, tenantId: number, link: NewLink): Promise<void> {
  await tx`
    insert into sign_in_links (tenant_id, link_id, user_id, secret_sha256, created_at, expires_at)
    values (${tenantId}, ${link.id}, ${link.userId}, ${link.secretSha256}, ${link.createdAt}, ${link.expiresAt})`
}

/** Uses a link up. Of two who use it at once, the second waits for the first and finds it gone. */
export async function takeLink(
  tx: Tx,
  tenantId: number,
  secretSha256: Buffer,
): Promise<Pick<NewLink, 'userId' | 'createdAt' | 'expiresAt'> | null> {
  const [row] = await tx<Pick<NewLink, 'userId' | 'createdAt' | 'expiresAt'>[]>`
    delete from sign_in_links where tenant_id = ${tenantId} and secret_sha256 = ${secretSha256}
    returning user_id as "userId", created_at as "createdAt", expires_at as "expiresAt"`
  return row ?? null
}

export async function deleteExpiredLinks(db: Reads, now: Date): Promise<void> {
  await db`delete from sign_in_links where expires_at <= ${now}`
}

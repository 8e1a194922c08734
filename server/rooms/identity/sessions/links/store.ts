import { isSameMac, type Seals } from '#kernel/seals.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { forEachTenant, listTenantsWith } from '#kernel/tenants-with.ts'
import { rowMac } from '../row-mac.ts'

export type Link = {
  id: string
  userId: string
  secretSha256: Buffer
  /** Works although the policy of the tenant has no links. */
  isBreakGlass: boolean
  createdAt: Date
  expiresAt: Date
}
export type LinkRow = Link & { mac: Buffer }

const linkMac = (seals: Seals, tenantId: number, link: Link): Buffer =>
  rowMac(seals, 'sign-in link', tenantId, [
    link.id,
    link.userId,
    link.secretSha256,
    link.isBreakGlass,
    link.createdAt,
    link.expiresAt,
  ])
export const isAuthenticLink = (seals: Seals, tenantId: number, row: LinkRow): boolean =>
  isSameMac(row.mac, linkMac(seals, tenantId, row))

export async function insertLink(tx: Tx, seals: Seals, tenantId: number, link: Link): Promise<void> {
  await tx`
    insert into sign_in_links (tenant_id, link_id, user_id, secret_sha256, is_break_glass, created_at, expires_at, mac)
    values (${tenantId}, ${link.id}, ${link.userId}, ${link.secretSha256}, ${link.isBreakGlass}, ${link.createdAt},
      ${link.expiresAt}, ${linkMac(seals, tenantId, link)})`
}

/** Uses a link. Of two requests that use it at once, the second waits for the first and finds it gone. */
export async function takeLink(tx: Tx, tenantId: number, secretSha256: Buffer): Promise<LinkRow | null> {
  const [row] = await tx<LinkRow[]>`
    delete from sign_in_links where tenant_id = ${tenantId} and secret_sha256 = ${secretSha256}
    returning link_id as id, user_id as "userId", secret_sha256 as "secretSha256", is_break_glass as "isBreakGlass",
      created_at as "createdAt", expires_at as "expiresAt", mac`
  return row ?? null
}

export async function deleteExpiredLinks(db: Reads, now: Date): Promise<void> {
  const tenantIds = await listTenantsWith(
    db,
    (after) => db`select tenant_id from sign_in_links where expires_at <= ${now} and tenant_id > ${after}`,
  )
  await forEachTenant(
    tenantIds,
    (tenantId) => db`delete from sign_in_links where tenant_id = ${tenantId} and expires_at <= ${now}`,
  )
}

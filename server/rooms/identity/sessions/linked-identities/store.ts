import type { Page } from '#kernel/pages.ts'
import { isSameMac, type Seals } from '#kernel/seals.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { rowMac } from '../row-mac.ts'

/** Who someone is at an OpenID Connect provider. */
export type Identity = {
  id: string
  userId: string
  issuer: string
  subject: string
  /** The address that the provider had verified when the identity was linked; empty if an operator linked it. */
  email: string
  linkedAt: Date
}
export type IdentityRow = Identity & { mac: Buffer }

const columns = (db: Reads) => db`
  identity_id as id, user_id as "userId", issuer, subject, email, linked_at as "linkedAt", mac`

const identityMac = (seals: Seals, tenantId: number, row: Identity): Buffer =>
  rowMac(seals, 'oidc identity', tenantId, [row.id, row.userId, row.issuer, row.subject, row.email, row.linkedAt])
export const isAuthenticIdentity = (seals: Seals, tenantId: number, row: IdentityRow): boolean =>
  isSameMac(row.mac, identityMac(seals, tenantId, row))

/** Whether neither the subject nor the user was linked with this issuer before. */
export async function insertIdentity(tx: Tx, seals: Seals, tenantId: number, identity: Identity): Promise<boolean> {
  const rows = await tx`
    insert into oidc_identities (tenant_id, identity_id, user_id, issuer, subject, email, linked_at, mac)
    values (${tenantId}, ${identity.id}, ${identity.userId}, ${identity.issuer}, ${identity.subject},
      ${identity.email}, ${identity.linkedAt}, ${identityMac(seals, tenantId, identity)})
    on conflict do nothing returning 1 as inserted`
  return rows.length === 1
}

export async function findIdentity(
  db: Reads,
  tenantId: number,
  issuer: string,
  subject: string,
): Promise<IdentityRow | null> {
  const [row] = await db<IdentityRow[]>`
    select ${columns(db)} from oidc_identities
    where tenant_id = ${tenantId} and issuer = ${issuer} and subject = ${subject}`
  return row ?? null
}

export async function listIdentitiesOf(
  db: Reads,
  tenantId: number,
  userId: string,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<IdentityRow[]> {
  return db<IdentityRow[]>`
    select ${columns(db)} from oidc_identities
    where tenant_id = ${tenantId} and user_id = ${userId} and identity_id > ${page.after?.[0] ?? ''}
    order by identity_id limit ${page.limit}`
}

/** The deleted identity, or null. */
export async function deleteIdentity(tx: Tx, tenantId: number, userId: string, id: string): Promise<Identity | null> {
  const [row] = await tx<IdentityRow[]>`
    delete from oidc_identities where tenant_id = ${tenantId} and user_id = ${userId} and identity_id = ${id}
    returning ${columns(tx)}`
  return row ?? null
}

import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'

export type Credential = {
  id: string
  userId: string
  clientId: string
  displayName: string
  allowSourceCidr: string[]
  scopedRoles: string[]
  createdAt: Date
  updatedAt: Date
  expiresTime: Date | null
  lastUsedAt: Date | null
}
export type NewCredential = Omit<Credential, 'lastUsedAt'> & { publicKey: Buffer; secretSha256: Buffer }
type PageAsked = Pick<Page, 'after' | 'limit'>

const columns = (db: Reads) => db`
  credential_id as id, user_id as "userId", client_id as "clientId", display_name as "displayName",
  allow_source_cidr as "allowSourceCidr", scoped_role_ids as "scopedRoles", created_at as "createdAt",
  updated_at as "updatedAt", expires_at as "expiresTime", last_used_at as "lastUsedAt"`

export async function insertCredential(tx: Tx, tenantId: number, credential: NewCredential): Promise<void> {
  await tx`
    insert into credentials (tenant_id, credential_id, user_id, client_id, display_name, public_key, secret_sha256,
      allow_source_cidr, scoped_role_ids, created_at, updated_at, expires_at)
    values (${tenantId}, ${credential.id}, ${credential.userId}, ${credential.clientId}, ${credential.displayName},
      ${credential.publicKey}, ${credential.secretSha256}, ${credential.allowSourceCidr}, ${credential.scopedRoles},
      ${credential.createdAt}, ${credential.updatedAt}, ${credential.expiresTime})`
}

export async function findCredential(db: Reads, tenantId: number, id: string): Promise<Credential | null> {
  const [row] = await db<Credential[]>`
    select ${columns(db)} from credentials
    where tenant_id = ${tenantId} and credential_id = ${id} and deleted_at is null`
  return row ?? null
}

/** Held until the transaction ends: of two changes at once, one comes after the other. */
export async function lockCredential(tx: Tx, tenantId: number, id: string): Promise<Credential | null> {
  const [row] = await tx<Credential[]>`
    select ${columns(tx)} from credentials
    where tenant_id = ${tenantId} and credential_id = ${id} and deleted_at is null
    for update`
  return row ?? null
}

export async function updateApproval(tx: Tx, tenantId: number, id: string, mac: Buffer): Promise<void> {
  await tx`
    update credentials set approval_mac = ${mac} where tenant_id = ${tenantId} and credential_id = ${id}`
}

export async function listCredentialsOf(
  db: Reads,
  tenantId: number,
  userId: string,
  page: PageAsked,
): Promise<Credential[]> {
  return db<Credential[]>`
    select ${columns(db)} from credentials
    where tenant_id = ${tenantId} and user_id = ${userId} and deleted_at is null
      and credential_id > ${page.after?.[0] ?? ''}
    order by credential_id limit ${page.limit}`
}

export async function searchCredentials(
  db: Reads,
  tenantId: number,
  { query, userIds }: { query: string; userIds: readonly string[] },
  page: PageAsked,
): Promise<Credential[]> {
  const pattern = `%${query.replace(/[\\%_]/g, '\\$&')}%`
  return db<Credential[]>`
    select ${columns(db)} from credentials
    where tenant_id = ${tenantId} and deleted_at is null and credential_id > ${page.after?.[0] ?? ''}
      ${userIds.length > 0 ? db`and user_id = any(${userIds as string[]}::text[])` : db``}
      ${query === '' ? db`` : db`and (display_name ilike ${pattern} or client_id ilike ${pattern})`}
    order by credential_id limit ${page.limit}`
}

export async function updateCredential(
  tx: Tx,
  tenantId: number,
  { id, displayName, allowSourceCidr, scopedRoles, updatedAt }: Credential,
): Promise<void> {
  await tx`
    update credentials set display_name = ${displayName}, allow_source_cidr = ${allowSourceCidr},
      scoped_role_ids = ${scopedRoles}, updated_at = ${updatedAt}
    where tenant_id = ${tenantId} and credential_id = ${id}`
}

export async function deleteCredential(tx: Tx, tenantId: number, id: string, at: Date): Promise<void> {
  await tx`
    update credentials set deleted_at = ${at}, updated_at = ${at}
    where tenant_id = ${tenantId} and credential_id = ${id}`
}

export async function countCredentialsOf(tx: Tx, tenantId: number, userId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) from credentials
    where tenant_id = ${tenantId} and user_id = ${userId} and deleted_at is null`
  return row?.count ?? 0
}

export type Use = { tenantId: number; credentialId: string; at: Date }

export async function updateLastUsed(db: Reads, uses: readonly Use[]): Promise<void> {
  await db`
    update credentials c set last_used_at = u.at
    from unnest(
      ${uses.map((use) => use.tenantId)}::int[],
      ${uses.map((use) => use.credentialId)}::text[],
      ${uses.map((use) => use.at.toISOString())}::timestamptz[]
    ) as u (tenant_id, credential_id, at)
    where c.tenant_id = u.tenant_id and c.credential_id = u.credential_id
      and (c.last_used_at is null or c.last_used_at < u.at)`
}

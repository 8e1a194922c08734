import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { CredentialKind } from './kinds.ts'

export type Credential = {
  id: string
  userId: string
  clientId: string
  displayName: string
  allowSourceCidr: string[]
  scopedRoles: string[]
  /** The credentials by whose tokens it was created, beginning with the first. */
  ancestorIds: string[]
  /** Its access tokens are bound to a key of the client. */
  requireDpop: boolean
  createdAt: Date
  updatedAt: Date
  expiresTime: Date | null
  lastUsedAt: Date | null
}
/** With what is needed to check its secret, and the MAC of the row. */
export type KeptCredential = Credential & {
  publicKey: Buffer
  secretSha256: Buffer
  deletedAt: Date | null
  /** Proves that it counts although it was created before a restore. */
  approvalMac: Buffer | null
  mac: Buffer | null
}
export type SealedCredential = KeptCredential & { mac: Buffer }
type PageAsked = Pick<Page, 'after' | 'limit'>

const columns = (db: Reads, of = 'credentials') => {
  const c = db(of)
  return db`
    ${c}.credential_id as id, ${c}.user_id as "userId", ${c}.client_id as "clientId",
    ${c}.display_name as "displayName", ${c}.allow_source_cidr as "allowSourceCidr",
    ${c}.scoped_role_ids as "scopedRoles", ${c}.ancestor_ids as "ancestorIds",
    ${c}.require_dpop as "requireDpop", ${c}.created_at as "createdAt",
    ${c}.updated_at as "updatedAt", ${c}.expires_at as "expiresTime", ${c}.last_used_at as "lastUsedAt"`
}
export const kept = (db: Reads, of = 'credentials') => {
  const c = db(of)
  return db`
    ${columns(db, of)}, ${c}.public_key as "publicKey", ${c}.secret_sha256 as "secretSha256",
    ${c}.deleted_at as "deletedAt", ${c}.approval_mac as "approvalMac", ${c}.mac`
}

export async function insertCredential(tx: Tx, tenantId: number, credential: SealedCredential): Promise<void> {
  await tx`
    insert into credentials (tenant_id, credential_id, user_id, client_id, display_name, public_key, secret_sha256,
      allow_source_cidr, scoped_role_ids, ancestor_ids, require_dpop, created_at, updated_at, expires_at, mac)
    values (${tenantId}, ${credential.id}, ${credential.userId}, ${credential.clientId}, ${credential.displayName},
      ${credential.publicKey}, ${credential.secretSha256}, ${credential.allowSourceCidr}, ${credential.scopedRoles},
      ${credential.ancestorIds}, ${credential.requireDpop}, ${credential.createdAt}, ${credential.updatedAt},
      ${credential.expiresTime}, ${credential.mac})`
}

/** Deleted or not, proven or not. */
export async function findKept(db: Reads, tenantId: number, ids: readonly string[]): Promise<KeptCredential[]> {
  return db<KeptCredential[]>`
    select ${kept(db)} from credentials
    where tenant_id = ${tenantId} and credential_id = any(${ids}::text[])`
}

/** Locked against changes until the transaction ends, in the order of their ids. */
export async function shareCredentials(tx: Tx, tenantId: number, ids: readonly string[]): Promise<KeptCredential[]> {
  return tx<KeptCredential[]>`
    select ${kept(tx)} from credentials
    where tenant_id = ${tenantId} and credential_id = any(${ids}::text[])
    order by credential_id for share`
}

/** Those that were created by its tokens, or by theirs; locked until the transaction ends. */
export async function lockDescendants(
  tx: Tx,
  tenantId: number,
  { id }: Pick<Credential, 'id'>,
): Promise<KeptCredential[]> {
  return tx<KeptCredential[]>`
    select ${kept(tx)} from credentials
    where tenant_id = ${tenantId} and deleted_at is null and ancestor_ids <> '{}' and ancestor_ids @> ${[id]}::text[]
    order by credential_id for update`
}

export async function findCredential(db: Reads, tenantId: number, id: string): Promise<Credential | null> {
  const [row] = await db<Credential[]>`
    select ${columns(db)} from credentials
    where tenant_id = ${tenantId} and credential_id = ${id} and deleted_at is null`
  return row ?? null
}

/** Locked until the transaction ends: of two changes at once, one comes after the other. */
export async function lockCredential(tx: Tx, tenantId: number, id: string): Promise<KeptCredential | null> {
  const [row] = await tx<KeptCredential[]>`
    select ${kept(tx)} from credentials
    where tenant_id = ${tenantId} and credential_id = ${id} and deleted_at is null
    for update`
  return row ?? null
}

export async function updateApproval(tx: Tx, tenantId: number, id: string, mac: Buffer): Promise<void> {
  await tx`
    update credentials set approval_mac = ${mac} where tenant_id = ${tenantId} and credential_id = ${id}`
}

const ofKind = (db: Reads, kind: CredentialKind) => db`client_id like ${`%/${kind}`}`

/** All of a user that are not deleted, locked until the transaction ends. */
export async function lockCredentialsOf(tx: Tx, tenantId: number, userId: string): Promise<KeptCredential[]> {
  return tx<KeptCredential[]>`
    select ${kept(tx)} from credentials
    where tenant_id = ${tenantId} and user_id = ${userId} and deleted_at is null
    order by credential_id for update`
}

export async function listCredentialsOf(
  db: Reads,
  tenantId: number,
  /** Those whose client id has this ending. */
  { userId, kind }: { userId: string; kind: CredentialKind },
  /** Only this one, and those that were created by its tokens; null for all of them. */
  family: string | null,
  page: PageAsked,
): Promise<Credential[]> {
  return db<Credential[]>`
    select ${columns(db)} from credentials
    where tenant_id = ${tenantId} and user_id = ${userId} and deleted_at is null and ${ofKind(db, kind)}
      ${family === null ? db`` : db`and (credential_id = ${family} or ${family} = any(ancestor_ids))`}
      and credential_id > ${page.after?.[0] ?? ''}
    order by credential_id limit ${page.limit}`
}

export async function searchCredentials(
  db: Reads,
  tenantId: number,
  { query, userIds, kind }: { query: string; userIds: readonly string[]; kind?: CredentialKind },
  page: PageAsked,
): Promise<Credential[]> {
  const pattern = `%${query.replace(/[\\%_]/g, '\\$&')}%`
  return db<Credential[]>`
    select ${columns(db)} from credentials
    where tenant_id = ${tenantId} and deleted_at is null and credential_id > ${page.after?.[0] ?? ''}
      ${kind ? db`and ${ofKind(db, kind)}` : db``}
      ${userIds.length > 0 ? db`and user_id = any(${userIds}::text[])` : db``}
      ${query === '' ? db`` : db`and (display_name ilike ${pattern} or client_id ilike ${pattern})`}
    order by credential_id limit ${page.limit}`
}

export async function updateCredential(
  tx: Tx,
  tenantId: number,
  { id, displayName, allowSourceCidr, scopedRoles, updatedAt, deletedAt, mac }: SealedCredential,
): Promise<void> {
  await tx`
    update credentials set display_name = ${displayName}, allow_source_cidr = ${allowSourceCidr},
      scoped_role_ids = ${scopedRoles}, updated_at = ${updatedAt}, deleted_at = ${deletedAt}, mac = ${mac}
    where tenant_id = ${tenantId} and credential_id = ${id}`
}

/**
 * If several are created at once, each is counted. Not with a lock on the user: an import locks those that it changes
 * until its end.
 */
export async function lockCounting(tx: Tx, tenantId: number, userId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`credentials ${tenantId} ${userId}`}, 0))`
}

/** Those that can be used: neither deleted nor expired. */
export async function countLiveCredentials(tx: Tx, tenantId: number, userId: string, now: Date): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) from credentials
    where tenant_id = ${tenantId} and user_id = ${userId} and deleted_at is null
      and (expires_at is null or expires_at > ${now})`
  return row?.count ?? 0
}

export type Use = { tenantId: number; credentialId: string; at: Date }

/** To the minute, which may have begun before the credential was created: then the time of its creation. */
export async function updateLastUsed(db: Reads, uses: readonly Use[]): Promise<void> {
  await db`
    update credentials c set last_used_at = greatest(u.at, c.created_at)
    from unnest(
      ${uses.map((use) => use.tenantId)}::int[],
      ${uses.map((use) => use.credentialId)}::text[],
      ${uses.map((use) => use.at.toISOString())}::timestamptz[]
    ) as u (tenant_id, credential_id, at)
    where c.tenant_id = any(${[...new Set(uses.map((use) => use.tenantId))]}::int[]) and c.tenant_id = u.tenant_id
      and c.credential_id = u.credential_id
      and (c.last_used_at is null or c.last_used_at < u.at)`
}

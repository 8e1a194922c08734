import type { May } from '#authority/proof.ts'
import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { setIsDirectory } from '#rooms/records/apps/index.ts'
import type { Counts, Directory } from './directory.ts'

type PageAsked = Pick<Page, 'after' | 'limit'>

const columns = (db: Reads) => db`
  d.app_id as "appId", a.display_name as "displayName", d.kind, coalesce(d.group_type_id, '') as "groupTypeId",
  d.account_filter as "accountFilter", d.match_cases as "matchCases", d.rank, d.ranks, d.followed_at as "followedAt",
  d.links_existing as "linksExistingUsers", d.held_since as "heldSince", d.counted_from as "countedFrom",
  d.held_decision as "heldDecision",
  d.last_request_at as "lastRequestAt", d.last_error_at as "lastErrorAt", d.last_error as "lastError",
  d.created_by as "createdBy", d.created_at as "createdAt", d.updated_at as "updatedAt"`

/** Neither it nor its app was deleted. */
const alive = (db: Reads, tenantId: number) => db`
  from directories d
  join apps a on a.tenant_id = ${tenantId} and a.app_id = d.app_id and a.deleted_at is null
  where d.tenant_id = ${tenantId} and d.deleted_at is null`

export async function findDirectory(db: Reads, tenantId: number, appId: string): Promise<Directory | null> {
  const [row] = await db<Directory[]>`select ${columns(db)} ${alive(db, tenantId)} and d.app_id = ${appId}`
  return row ?? null
}

/** Locks it until the transaction ends. */
export async function lockDirectory(tx: Tx, tenantId: number, appId: string): Promise<Directory | null> {
  const [row] = await tx<Directory[]>`
    select ${columns(tx)} ${alive(tx, tenantId)} and d.app_id = ${appId} for no key update of d`
  return row ?? null
}

/** Whether it exists; it is then locked until the transaction ends: its deletion, and that of its app, change this row. */
export async function holdDirectory(tx: Tx, tenantId: number, appId: string): Promise<boolean> {
  const rows = await tx`
    select 1 from apps where tenant_id = ${tenantId} and app_id = ${appId} and deleted_at is null and is_directory for share`
  return rows.length > 0
}

/** Locks the app as its deletion does: transactions that hold it are awaited before anything else is locked. */
export async function lockAppOf(tx: Tx, tenantId: number, appId: string): Promise<void> {
  await tx`select 1 from apps where tenant_id = ${tenantId} and app_id = ${appId} for no key update`
}

export async function listDirectories(
  db: Reads,
  tenantId: number,
  page: PageAsked,
  kind: Directory['kind'] | null = null,
): Promise<Directory[]> {
  return db<Directory[]>`
    select ${columns(db)} ${alive(db, tenantId)} and d.app_id > ${page.after?.[0] ?? ''}
      ${kind === null ? db`` : db`and d.kind = ${kind}`}
    order by d.app_id limit ${page.limit}`
}

export async function insertDirectory(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'directories.change'>,
  { appId, kind, groupTypeId, linksExistingUsers, accountFilter, matchCases, createdBy, createdAt }: Directory,
): Promise<void> {
  const groups = groupTypeId === '' ? null : groupTypeId
  // The app may have been a directory before.
  await tx`
    insert into directories (tenant_id, app_id, kind, group_type_id, links_existing, account_filter, match_cases,
      counted_from, created_by, created_at, updated_at)
    values (${tenantId}, ${appId}, ${kind}, ${groups}, ${linksExistingUsers}, ${accountFilter}, ${tx.json(matchCases)},
      ${createdAt}, ${createdBy}, ${createdAt}, ${createdAt})
    on conflict (tenant_id, app_id) do update set kind = excluded.kind, group_type_id = excluded.group_type_id,
      links_existing = excluded.links_existing, account_filter = excluded.account_filter,
      match_cases = excluded.match_cases, counted_from = excluded.counted_from, held_since = null, held_decision = null, rank = default,
      ranks = default, followed_at = null, last_error = '', last_error_at = null, created_by = excluded.created_by,
      created_at = excluded.created_at, updated_at = excluded.updated_at, deleted_at = null`
}

export async function updateDirectory(
  tx: Tx,
  tenantId: number,
  { appId, linksExistingUsers, accountFilter, matchCases, heldSince, countedFrom, heldDecision, updatedAt }: Directory,
): Promise<void> {
  await tx`
    update directories set links_existing = ${linksExistingUsers}, account_filter = ${accountFilter},
      match_cases = ${tx.json(matchCases)}, held_since = ${heldSince}, counted_from = ${countedFrom},
      held_decision = ${heldDecision ? tx.json(heldDecision) : null}, updated_at = ${updatedAt}
    where tenant_id = ${tenantId} and app_id = ${appId}`
}

export async function deleteDirectory(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'directories.change'>,
  appId: string,
  at: Date,
): Promise<void> {
  await tx`
    update directories set deleted_at = ${at}, updated_at = ${at} where tenant_id = ${tenantId} and app_id = ${appId}`
  await setIsDirectory(tx, tenantId, appId, { isDirectory: false, at })
}

/** By indexes alone: counting 100,000 users takes about 20 ms. */
export async function countIn(db: Reads, tenantId: number, appId: string): Promise<Counts> {
  const [row] = await db<Counts[]>`
    select
      (select count(*) from directory_users u
        where u.tenant_id = ${tenantId} and u.app_id = ${appId} and u.deleted_at is null) as users,
      (select count(*) from directory_users u
        where u.tenant_id = ${tenantId} and u.app_id = ${appId} and u.deleted_at is null and u.is_active) as "activeUsers",
      (select count(*) from directory_users u
        where u.tenant_id = ${tenantId} and u.app_id = ${appId} and u.is_held) as "heldUsers",
      (select count(*) from directory_groups g
        where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.deleted_at is null) as groups`
  return row ?? { users: 0, activeUsers: 0, heldUsers: 0, groups: 0 }
}

export type Noted = { tenantId: number; appId: string; at: Date; error: { at: Date; text: string } | null }

/** The time of its last request, and the last refusal. */
export async function updateLastRequest(db: Reads, { tenantId, appId, at, error }: Noted): Promise<void> {
  await db`
    update directories set last_request_at = greatest(last_request_at, ${at})
      ${error ? db`, last_error_at = ${error.at}, last_error = ${error.text}` : db``}
    where tenant_id = ${tenantId} and app_id = ${appId}`
}

import type { Reads, Tx } from '#kernel/sql.ts'
import { expiredBefore } from '#rooms/foundation/plans/index.ts'
import type { Directory } from '#rooms/records/directories/index.ts'
import type { Counted, DirectoryAccount, Outcome } from './decide.ts'

/** Accounts of a directory, by id: all that exist or were people, or those that changed since they were processed. */
export async function listAccountsOf(
  tx: Tx,
  tenantId: number,
  appId: string,
  { isAll, after, limit }: { isAll: boolean; after: string; limit: number },
): Promise<DirectoryAccount[]> {
  return tx<DirectoryAccount[]>`
    select a.account_id as id, a.external_id as "externalId", a.type, a.status, a.display_name as "displayName", a.email,
      a.emails, a.username, a.usernames, a.employee_ids as "employeeIds", a.profile, a.user_id as "userId",
      a.updated_at as "updatedAt", a.deleted_at is not null as "isGone", x.user_id as "linkUserId",
      (x.account_id is not null and x.deleted_at is null) as "isLinked", coalesce(x.matched_by, '') as "matchedBy"
    from accounts a
    left join directory_users x on x.tenant_id = ${tenantId} and x.app_id = a.app_id and x.account_id = a.account_id
    where a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.account_id > ${after}
      and (a.deleted_at is null or (x.account_id is not null and x.deleted_at is null))
      and (not a.is_manually_managed or x.account_id is not null)
      ${isAll ? tx`` : tx`and (x.account_id is null or x.deleted_at is not null or x.seen_at is distinct from a.updated_at)`}
    order by a.account_id limit ${limit}`
}

/** Users who may have a key, by the fields that users are searched by. */
export async function listUsersCalled(db: Reads, tenantId: number, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const rows = await db<{ id: string }[]>`
    select distinct s.object_id as id from unnest(${keys}::text[]) as w (key)
    join search_keys s on s.tenant_id = ${tenantId} and s.kind = 'user' and s.key = left(w.key, 100)`
  return rows.map(({ id }) => id)
}

/** Those of the users who were merged, and into whom. */
export async function listMerged(
  db: Reads,
  tenantId: number,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map()
  const rows = await db<{ id: string; into: string }[]>`
    select user_id as id, merged_into as into from users
    where tenant_id = ${tenantId} and merged_into <> '' and user_id = any(${userIds}::text[])`
  return new Map(rows.map(({ id, into }) => [id, into]))
}

/** Which of the users already have an account in the directory that is not deleted, and which account. */
export async function listLinkedIn(
  db: Reads,
  tenantId: number,
  appId: string,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map()
  const rows = await db<{ userId: string; id: string }[]>`
    select user_id as "userId", account_id as id from directory_users
    where tenant_id = ${tenantId} and app_id = ${appId} and user_id = any(${userIds}::text[]) and deleted_at is null`
  return new Map(rows.map(({ userId, id }) => [userId, id]))
}

/** Those of the users who are people and not deleted. */
export async function listAlive(db: Reads, tenantId: number, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await db<{ id: string }[]>`
    select user_id as id from users
    where tenant_id = ${tenantId} and user_id = any(${userIds}::text[]) and deleted_at is null`
  return new Set(rows.map(({ id }) => id))
}

/** The users whose deactivation is held. */
export async function listHeldUsers(
  db: Reads,
  tenantId: number,
  appId: string,
): Promise<{ accountId: string; userId: string; displayName: string }[]> {
  return db<{ accountId: string; userId: string; displayName: string }[]>`
    select x.account_id as "accountId", x.user_id as "userId", u.display_name as "displayName" from directory_users x
    join users u on u.tenant_id = ${tenantId} and u.user_id = x.user_id
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.is_held
    order by x.account_id`
}

/** Whether there are more accounts to process than this. */
export async function hasMoreAccounts(
  db: Reads,
  tenantId: number,
  appId: string,
  { isAll, count }: { isAll: boolean; count: number },
): Promise<boolean> {
  const rows = await db`
    select 1 from accounts a
    left join directory_users x on x.tenant_id = ${tenantId} and x.app_id = a.app_id and x.account_id = a.account_id
    where a.tenant_id = ${tenantId} and a.app_id = ${appId}
      ${isAll ? db`` : db`and (x.account_id is null or x.deleted_at is not null or x.seen_at is distinct from a.updated_at)`}
    offset ${count} limit 1`
  return rows.length > 0
}

export type Conflict = { accountId: string; reason: string; key: string; userIds: readonly string[] }

/** Saves the conflicts of the accounts that were processed, and deletes those that no longer exist. */
export async function putConflicts(
  tx: Tx,
  tenantId: number,
  appId: string,
  { lookedAt, conflicts, at }: { lookedAt: readonly string[]; conflicts: readonly Conflict[]; at: Date },
): Promise<void> {
  const ids = conflicts.map(({ accountId }) => accountId)
  await tx`
    delete from directory_conflicts
    where tenant_id = ${tenantId} and app_id = ${appId} and account_id = any(${lookedAt}::text[])
      and not account_id = any(${ids}::text[])`
  if (conflicts.length === 0) return
  await tx`
    insert into directory_conflicts as x (tenant_id, app_id, account_id, reason, key, user_ids, since)
    select ${tenantId}::int, ${appId}::text, w."accountId", w.reason, w.key, w."userIds", ${at}::timestamptz
    from jsonb_to_recordset(${tx.json(conflicts)}) as w ("accountId" text, reason text, key text, "userIds" text[])
    on conflict (tenant_id, app_id, account_id) do update set reason = excluded.reason, key = excluded.key,
      user_ids = excluded.user_ids,
      since = case when x.reason = excluded.reason and x.key = excluded.key then x.since else excluded.since end`
}

export async function deleteConflictsOfGone(tx: Tx, tenantId: number, appId: string): Promise<void> {
  await tx`
    delete from directory_conflicts c using accounts a
    where c.tenant_id = ${tenantId} and c.app_id = ${appId} and a.tenant_id = ${tenantId} and a.app_id = c.app_id
      and a.account_id = c.account_id and a.deleted_at is not null`
}

export async function countConflicts(db: Reads, tenantId: number, appId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from directory_conflicts where tenant_id = ${tenantId} and app_id = ${appId}`
  return row?.count ?? 0
}

type ConflictRow = Conflict & { displayName: string; email: string; username: string; since: Date }

export async function listConflicts(
  db: Reads,
  tenantId: number,
  appId: string,
  after: string,
  limit: number,
): Promise<ConflictRow[]> {
  return db<ConflictRow[]>`
    select c.account_id as "accountId", c.reason, c.key, c.user_ids as "userIds", c.since,
      a.display_name as "displayName", a.email, a.username
    from directory_conflicts c
    join accounts a on a.tenant_id = ${tenantId} and a.app_id = c.app_id and a.account_id = c.account_id
    where c.tenant_id = ${tenantId} and c.app_id = ${appId} and c.account_id > ${after}
    order by c.account_id limit ${limit}`
}

/** Locks all of them, always in the same order. */
export async function lockAllDirectories(tx: Tx, tenantId: number): Promise<void> {
  await tx`
    select 1 from directories where tenant_id = ${tenantId} and deleted_at is null order by app_id for no key update`
}

export async function listClientsOf(db: Reads, tenantId: number, userIds: readonly string[]): Promise<string[]> {
  if (userIds.length === 0) return []
  const rows = await db<{ id: string }[]>`
    select client_id as id from credentials
    where tenant_id = ${tenantId} and user_id = any(${userIds}::text[]) and deleted_at is null`
  return rows.map(({ id }) => id)
}

export async function insertPlan(
  tx: Tx,
  tenantId: number,
  plan: { id: string; createdBy: string; change: object; fingerprint: string; at: Date },
  items: readonly Outcome[],
): Promise<void> {
  await tx`
    delete from directory_plans where tenant_id = ${tenantId} and created_at < ${expiredBefore('directories', plan.at)}`
  await tx`
    insert into directory_plans (tenant_id, plan_id, created_by, change, fingerprint, created_at)
    values (${tenantId}, ${plan.id}, ${plan.createdBy}, ${tx.json(plan.change)}, ${plan.fingerprint}, ${plan.at})`
  for (let from = 0; from < items.length; from += itemsPerStatement)
    await tx`
      insert into directory_plan_items (tenant_id, plan_id, place, item)
      select ${tenantId}::int, ${plan.id}::text, ${from}::int + w.place::int, w.item
      from jsonb_array_elements(${tx.json(items.slice(from, from + itemsPerStatement))}) with ordinality as w (item, place)`
}
const itemsPerStatement = 1000

type KeptPlan<C> = { change: C; fingerprint: string; createdAt: Date }

/** Only the plan's author finds it. */
export async function findPlan<C>(
  db: Reads,
  tenantId: number,
  id: string,
  userId: string,
): Promise<KeptPlan<C> | null> {
  const [row] = await db<KeptPlan<C>[]>`
    select change, fingerprint, created_at as "createdAt" from directory_plans
    where tenant_id = ${tenantId} and plan_id = ${id} and created_by = ${userId}`
  return row ?? null
}

export async function listPlanItems(
  db: Reads,
  tenantId: number,
  id: string,
  { after, limit, of }: { after: number; limit: number; of: Counted | null },
): Promise<{ place: number; item: Outcome }[]> {
  const only =
    of === null
      ? db``
      : 'status' in of
        ? db`and (item ->> ${of.status}::text)::boolean`
        : db`and item ->> 'outcome' = any(${of.outcomes}::text[])`
  return db<{ place: number; item: Outcome }[]>`
    select place, item from directory_plan_items
    where tenant_id = ${tenantId} and plan_id = ${id} and place > ${after} ${only} order by place limit ${limit}`
}

/** All directories. */
export async function listAllDirectories(db: Reads, tenantId: number): Promise<Pick<Directory, 'appId' | 'kind'>[]> {
  return db<Pick<Directory, 'appId' | 'kind'>[]>`
    select d.app_id as "appId", d.kind from directories d
    join apps a on a.tenant_id = ${tenantId} and a.app_id = d.app_id and a.deleted_at is null
    where d.tenant_id = ${tenantId} and d.deleted_at is null
    order by d.rank, d.created_at, d.app_id limit 1000`
}

import type { Reads, Tx } from '#kernel/sql.ts'
import { expiredBefore } from '#rooms/foundation/plans/index.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'
import type { Directory, Said } from '#rooms/records/directories/index.ts'
import type { Counted, DirectoryAccount, Outcome } from './decide.ts'

/** Accounts of a directory, by id: all that are there or were people, or those that changed since they were looked at. */
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

/** Users whom a key may mean, by what they are searched by. */
export async function listUsersCalled(db: Reads, tenantId: number, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const rows = await db<{ id: string }[]>`
    select distinct s.object_id as id from unnest(${keys}::text[]) as w (key)
    join search_keys s on s.tenant_id = ${tenantId} and s.kind = 'user' and s.key = left(w.key, 100)`
  return rows.map(({ id }) => id)
}

/** Of these users those who were merged, and into whom. */
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

/** Which of the users have a live account in the directory already, and which. */
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

export type NewLink = {
  accountId: string
  userId: string
  externalId: string | null
  isActive: boolean
  traces: readonly string[]
  said: Said
  seenAt: Date
  matchedBy: string
}

/** Writes which accounts are whose, with what they say of their people. */
export async function putLinks(
  tx: Tx,
  tenantId: number,
  appId: string,
  links: readonly NewLink[],
  at: Date,
): Promise<void> {
  if (links.length === 0) return
  await tx`
    insert into directory_users as x (tenant_id, app_id, account_id, user_id, user_name, external_id, is_active, emails,
      resource, version, is_source, seen_at, matched_by, manager_ref, created_at, updated_at)
    select ${tenantId}::int, ${appId}::text, w."accountId", w."userId", w."accountId", w."externalId", w."isActive",
      w.traces, w.said, 1, false, w."seenAt", w."matchedBy", w.said ->> 'manager', ${at}::timestamptz, ${at}::timestamptz
    from jsonb_to_recordset(${tx.json(links)}) as w ("accountId" text, "userId" text, "externalId" text,
      "isActive" boolean, traces text[], said jsonb, "seenAt" timestamptz, "matchedBy" text)
    on conflict (tenant_id, app_id, account_id) do update set user_id = excluded.user_id,
      external_id = excluded.external_id, is_active = excluded.is_active, emails = excluded.emails,
      resource = excluded.resource, version = x.version + 1, seen_at = excluded.seen_at,
      matched_by = excluded.matched_by, manager_ref = excluded.manager_ref,
      manager_id = case when x.manager_ref = excluded.manager_ref then x.manager_id else '' end,
      is_source = x.is_source and x.user_id = excluded.user_id and x.deleted_at is null,
      is_held = x.is_held and not excluded.is_active,
      deactivated_at = case when excluded.is_active then null else x.deactivated_at end,
      updated_at = excluded.updated_at, deleted_at = null`
}

/** The accounts are nobody's in the directory any longer. */
export async function endLinks(
  tx: Tx,
  tenantId: number,
  appId: string,
  accounts: readonly { id: string; updatedAt: Date }[],
  at: Date,
): Promise<void> {
  if (accounts.length === 0) return
  await tx`
    update directory_users x set deleted_at = ${at}, updated_at = ${at}, is_active = false, is_source = false,
      seen_at = w.seen_at, version = x.version + 1
    from unnest(${accounts.map(({ id }) => id)}::text[], ${accounts.map(({ updatedAt }) => updatedAt)}::timestamptz[])
      as w (account_id, seen_at)
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.account_id = w.account_id`
}

/** Whose accounts are. */
export async function setAccountUsers(
  tx: Tx,
  tenantId: number,
  appId: string,
  accounts: readonly { accountId: string; userId: string | null }[],
): Promise<void> {
  if (accounts.length === 0) return
  await updateRecords(tx, tenantId, 'accounts', {
    set: { user_id: tx`w.user_id` },
    from: tx`unnest(${accounts.map(({ accountId }) => accountId)}::text[], ${accounts.map(({ userId }) => userId)}::text[])
      as w (account_id, user_id)`,
    where: tx`x.app_id = ${appId} and x.account_id = w.account_id and x.user_id is distinct from w.user_id`,
  })
}

type Waiting = { accountId: string; ref: string }
type NamedUser = { userId: string; key: string; isEmail: boolean }

/**
 * Finds the managers whom some accounts name and who were not there before. Answers whose they are, and where it ended; null
 * at the end. Not one statement: of rows that were just written PostgreSQL has no statistics, and for 10,000 it took longer than
 * a statement may.
 */
export async function findManagers(
  tx: Tx,
  tenantId: number,
  appId: string,
  which: { accountIds: readonly string[] } | { after: string; limit: number },
): Promise<{ userIds: string[]; last: string | null }> {
  const waiting = await tx<Waiting[]>`
    select account_id as "accountId", manager_ref as ref from directory_users
    where tenant_id = ${tenantId} and app_id = ${appId} and manager_ref <> '' and manager_id = '' and deleted_at is null
      ${
        'accountIds' in which
          ? tx`and account_id = any(${which.accountIds}::text[])`
          : tx`and account_id > ${which.after} order by account_id limit ${which.limit}`
      }`
  const last = 'limit' in which && waiting.length === which.limit ? (waiting.at(-1)?.accountId ?? null) : null
  if (waiting.length === 0) return { userIds: [], last }
  const refs = [...new Set(waiting.map(({ ref }) => ref))]
  const named = await tx<NamedUser[]>`
    select user_id as "userId", account_id::text as key, false as "isEmail" from directory_users
    where tenant_id = ${tenantId} and app_id = ${appId} and account_id = any(${refs}::text[]) and deleted_at is null
    union all select user_id, external_id, false from directory_users
    where tenant_id = ${tenantId} and app_id = ${appId} and external_id = any(${refs}::text[]) and deleted_at is null
    union all select d.user_id, e.address, true from directory_users d cross join lateral unnest(d.emails) as e (address)
    where d.tenant_id = ${tenantId} and d.app_id = ${appId} and d.deleted_at is null
      and e.address = any(${refs.map((ref) => ref.toLowerCase())}::text[])`
  const keyOf = (key: string, isEmail: boolean): string => `${isEmail ? 'email' : 'id'} ${key}`
  const byKey = Map.groupBy(named, ({ key, isEmail }) => keyOf(key, isEmail))
  const found = waiting.flatMap(({ accountId, ref }) => {
    const keys = [keyOf(ref, false), keyOf(ref.toLowerCase(), true)]
    const [managerId, ...others] = new Set(keys.flatMap((key) => byKey.get(key) ?? []).map(({ userId }) => userId))
    return managerId !== undefined && others.length === 0 ? [{ accountId, managerId }] : []
  })
  const rows = await tx<{ userId: string }[]>`
    update directory_users x set manager_id = w.manager_id
    from unnest(${found.map(({ accountId }) => accountId)}::text[], ${found.map(({ managerId }) => managerId)}::text[])
      as w (account_id, manager_id)
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.account_id = w.account_id
    returning x.user_id as "userId"`
  return { userIds: rows.map(({ userId }) => userId), last }
}

/** Whose deactivation is held. */
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

/** Whether there are more accounts to look at than this. */
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

/** The deactivation of these users waits for a person's word. */
export async function holdLinks(
  tx: Tx,
  tenantId: number,
  appId: string,
  userIds: readonly string[],
  { isHeld, at }: { isHeld: boolean; at: Date },
): Promise<void> {
  await tx`
    update directory_users set is_held = ${isHeld}, deactivated_at = ${at}
    where tenant_id = ${tenantId} and app_id = ${appId} and user_id = any(${userIds}::text[])
      and not is_active`
}

export type Conflict = { accountId: string; reason: string; key: string; userIds: readonly string[] }

/** What stands in the way of the accounts that were looked at, and no longer does. */
export async function putConflicts(
  tx: Tx,
  tenantId: number,
  appId: string,
  lookedAt: readonly string[],
  conflicts: readonly Conflict[],
  at: Date,
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

export async function setFollowed(tx: Tx, tenantId: number, appId: string, at: Date | null): Promise<void> {
  await tx`update directories set followed_at = ${at} where tenant_id = ${tenantId} and app_id = ${appId}`
}

/** What went wrong the last time its accounts were looked at. */
export async function setError(db: Reads, tenantId: number, appId: string, text: string, at: Date): Promise<void> {
  await db`
    update directories set last_error = ${text}, last_error_at = ${text === '' ? null : at}
    where tenant_id = ${tenantId} and app_id = ${appId} and (last_error <> ${text})`
}

export type Placement = { appId: string; rank: number; ranks: { readonly [attribute: string]: number } }

export async function setOrder(tx: Tx, tenantId: number, places: readonly Placement[], at: Date): Promise<void> {
  await tx`
    update directories x set rank = w.rank, ranks = w.ranks, updated_at = ${at}
    from jsonb_to_recordset(${tx.json(places)}) as w ("appId" text, rank int, ranks jsonb)
    where x.tenant_id = ${tenantId} and x.app_id = w."appId"`
}

/** All of them, held in one order. */
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

/** One's own. */
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

/** Every directory there is. */
export async function listAllDirectories(db: Reads, tenantId: number): Promise<Pick<Directory, 'appId' | 'kind'>[]> {
  return db<Pick<Directory, 'appId' | 'kind'>[]>`
    select d.app_id as "appId", d.kind from directories d
    join apps a on a.tenant_id = ${tenantId} and a.app_id = d.app_id and a.deleted_at is null
    where d.tenant_id = ${tenantId} and d.deleted_at is null
    order by d.rank, d.created_at, d.app_id limit 1000`
}

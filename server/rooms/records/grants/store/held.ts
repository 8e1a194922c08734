import type { Page } from '#kernel/pages.ts'
import type { Reads } from '#kernel/sql.ts'
import type { AccountRef } from '#rooms/records/accounts/index.ts'
import type { EntitlementRef, Holding, HoldingRef, Moment, Reason } from '../grant.ts'

export type PageAsked = Pick<Page, 'after' | 'limit'>

/**
 * Rows `g` of the history that show what is held at a moment. Nothing is held after it has expired, whether the engine has
 * ended it yet or not. For the current moment, the condition is written such that the indexes of open rows are used.
 */
export const held = (db: Reads, { at, isNow }: Moment) =>
  isNow
    ? db`g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})`
    : db`g.began_at <= ${at} and (g.ended_at is null or g.ended_at > ${at})
        and (g.expires_at is null or g.expires_at > ${at})`

export const columns = (db: Reads) => db`
  g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId",
  min(g.granted_at) as "grantedAt",
  case when bool_or(g.expires_at is null) then null else max(g.expires_at) end as "expiresAt"`

/** What an account holds, by entitlement. */
export async function listHeldBy(
  db: Reads,
  tenantId: number,
  { appId, id }: AccountRef,
  moment: Moment,
  page: PageAsked,
): Promise<Holding[]> {
  const key = { appId: db`${appId}`, accountId: db`${id}`, after: db`${page.after?.[0] ?? ''}` }
  return db<Holding[]>`
    select ${columns(db)} from ${rowsOfAccount(db, tenantId, key, moment)} g
    where ${held(db, moment)}
    group by g.app_id, g.account_id, g.entitlement_id
    order by g.entitlement_id limit ${page.limit}`
}

/**
 * The history of one account, by entitlement. For the past it is read completely and then filtered by time: `offset 0` keeps
 * the planner from reading the history of the whole app, which it estimates to be cheaper.
 */
export const rowsOfAccount = (
  db: Reads,
  tenantId: number,
  { appId, accountId, after }: Record<'appId' | 'accountId' | 'after', ReturnType<typeof columns>>,
  { isNow }: Moment,
) =>
  isNow
    ? db`(select * from grants g where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.account_id = ${accountId}
        and g.entitlement_id > ${after} and g.ended_at is null)`
    : db`(select * from grants g where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.account_id = ${accountId}
        and g.entitlement_id > ${after} order by g.entitlement_id offset 0)`

/** One account and one entitlement: null if the account does not hold it. */
export async function findHolding(
  db: Reads,
  tenantId: number,
  { appId, entitlementId, accountId }: HoldingRef,
  moment: Moment,
): Promise<Holding | null> {
  const [row] = await db<Holding[]>`
    select ${columns(db)} from grants g
    where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${entitlementId}
      and g.account_id = ${accountId} and ${held(db, moment)}
    group by g.app_id, g.entitlement_id, g.account_id`
  return row ?? null
}

/** The accounts of a user that hold an entitlement. */
export async function listHoldingAccountsOf(
  db: Reads,
  tenantId: number,
  { appId, id }: EntitlementRef,
  userId: string,
  moment: Moment,
): Promise<Holding[]> {
  return db<Holding[]>`
    select ${columns(db)} from accounts a
    join grants g on g.tenant_id = a.tenant_id and g.app_id = a.app_id and g.account_id = a.account_id
    where a.tenant_id = ${tenantId} and a.user_id = ${userId} and a.app_id = ${appId} and g.entitlement_id = ${id}
      and ${held(db, moment)}
    group by g.app_id, g.entitlement_id, g.account_id
    order by g.account_id limit 1000`
}

/** Which of these entitlements a user holds, through any of their accounts. */
export async function listHoldingsOf(
  db: Reads,
  tenantId: number,
  refs: readonly EntitlementRef[],
  userId: string,
  moment: Moment,
): Promise<Holding[]> {
  if (refs.length === 0) return []
  return db<Holding[]>`
    select ${columns(db)} from accounts a
    join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
    where a.tenant_id = ${tenantId} and a.user_id = ${userId} and a.deleted_at is null and ${held(db, moment)}
      and (g.app_id, g.entitlement_id) in (
        select * from unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[]))
    group by g.app_id, g.entitlement_id, g.account_id
    order by g.app_id, g.entitlement_id, g.account_id`
}

/** The reasons for which each of these is held, the earliest first. */
export async function listReasons(
  db: Reads,
  tenantId: number,
  holdings: readonly HoldingRef[],
  moment: Moment,
): Promise<(HoldingRef & Reason)[]> {
  if (holdings.length === 0) return []
  return db<(HoldingRef & Reason)[]>`
    select g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId", g.source,
      g.granted_by as "grantedBy", g.granted_at as "grantedAt", g.began_at as "beganAt", g.expires_at as "expiresAt",
      g.reason, null::timestamptz as "endedAt"
    from unnest(
      ${holdings.map(({ appId }) => appId)}::text[],
      ${holdings.map(({ entitlementId }) => entitlementId)}::text[],
      ${holdings.map(({ accountId }) => accountId)}::text[]
    ) as w (app_id, entitlement_id, account_id)
    join grants g on g.tenant_id = ${tenantId} and g.app_id = w.app_id and g.entitlement_id = w.entitlement_id
      and g.account_id = w.account_id
    where ${held(db, moment)}
    order by g.granted_at, g.source
    limit ${holdings.length * sourcesMax}`
}
// At any moment there is at most one row of each source that is not over.
const sourcesMax = 5

/**
 * Which of these users hold an entitlement now, through any of their accounts; from one source, if given. One index probe
 * for each account (`offset 0` keeps it so): for 10,000 accounts without statistics, PostgreSQL compared each with all
 * grants of the app, for 40 s.
 */
export async function listHoldingUsers(
  db: Reads,
  tenantId: number,
  { appId, id }: EntitlementRef,
  userIds: readonly string[],
  { at, source }: { at: Date; source?: string },
): Promise<string[]> {
  const rows = await db<{ userId: string }[]>`
    select distinct a.user_id as "userId" from accounts a
    cross join lateral (
      select 1 from grants g
      where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${id} and g.account_id = a.account_id
        and ${held(db, { at, isNow: true })} ${source === undefined ? db`` : db`and g.source = ${source}`} offset 0) g
    where a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.user_id = any(${userIds}::text[])`
  return rows.map(({ userId }) => userId)
}

/** The open task to revoke something from an account, or from its user. Tasks are read here, and only read. */
export async function findRevokeTask(
  db: Reads,
  tenantId: number,
  { appId, entitlementId, accountId }: HoldingRef,
  userId: string,
): Promise<{ id: string; createdBy: string } | null> {
  const [row] = await db<{ id: string; createdBy: string }[]>`
    select t.task_id as id, t.created_by as "createdBy" from tasks t
    where t.tenant_id = ${tenantId} and t.app_id = ${appId} and t.entitlement_id = ${entitlementId} and t.is_open
      and t.kind = 'revoke' and t.subject_user_id = ${userId} and t.account_id in ('', ${accountId})
    order by t.account_id desc limit 1`
  return row ?? null
}

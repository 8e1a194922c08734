import { inOrder, type Order, type Sortable } from '#kernel/order.ts'
import type { Page } from '#kernel/pages.ts'
import { isCalled } from '#kernel/search.ts'
import type { Fragment, Reads } from '#kernel/sql.ts'
import type { AccountRef } from '#rooms/records/accounts/index.ts'
import type { EntitlementRef, Holding, HoldingRef, Moment, Reason } from '../grant.ts'

type PageAsked = Pick<Page, 'after' | 'limit'>

/**
 * Rows `g` of the record that say what is held at a moment. Nothing is held beyond its time, whether the engine has
 * ended it yet or not. What holds now is said such that the indexes of open rows serve.
 */
export const held = (db: Reads, { at, isNow }: Moment) =>
  isNow
    ? db`g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})`
    : db`g.began_at <= ${at} and (g.ended_at is null or g.ended_at > ${at})
        and (g.expires_at is null or g.expires_at > ${at})`

const columns = (db: Reads) => db`
  g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId",
  min(g.granted_at) as "grantedAt",
  case when bool_or(g.expires_at is null) then null else max(g.expires_at) end as "expiresAt"`

/** Who holds an entitlement, by account. */
export async function listHolders(
  db: Reads,
  tenantId: number,
  { appId, id }: EntitlementRef,
  moment: Moment,
  page: PageAsked,
): Promise<Holding[]> {
  return db<Holding[]>`
    select ${columns(db)} from grants g
    where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${id}
      and g.account_id > ${page.after?.[0] ?? ''} and ${held(db, moment)}
    group by g.app_id, g.entitlement_id, g.account_id
    order by g.account_id limit ${page.limit}`
}

export const holderOrders = ['name', 'account', 'granted', 'expires'] as const
export type HolderOrder = Order<(typeof holderOrders)[number]>

/** Empty lists, empty texts and nulls filter nothing. */
export type HolderFilter = {
  query: string
  sources: readonly string[]
  /** Whether it ends by itself. */
  expires: boolean | null
  userStatuses: readonly string[]
}

/** Whether nothing is asked but who holds it. */
export const isUnfiltered = ({ query, sources, expires, userStatuses }: HolderFilter): boolean =>
  query === '' && sources.length === 0 && expires === null && userStatuses.length === 0

// What lists call an account: see `accountName` of the console.
const nameOf = (db: Reads) =>
  db`lower(coalesce(nullif(a.display_name, ''), nullif(a.username, ''), nullif(a.email, ''), a.account_id))`

const sortables = (db: Reads): Record<(typeof holderOrders)[number], Sortable> => ({
  name: { by: nameOf(db), type: 'text' },
  account: { by: db`lower(a.username)`, type: 'text' },
  granted: { by: db`x."grantedAt"`, type: 'timestamptz' },
  expires: { by: db`coalesce(x."expiresAt", 'infinity')`, type: 'timestamptz' },
})

/** Who holds an entitlement, with their accounts `a`: all of them are read. */
const holdersOf = (
  db: Reads,
  tenantId: number,
  { appId, id }: EntitlementRef,
  moment: Moment,
  { query, sources, expires, userStatuses }: HolderFilter,
) => db`
  (select ${columns(db)}, bool_or(g.source = any(${sources}::text[])) as "isOfSources" from grants g
    where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${id} and ${held(db, moment)}
    group by g.app_id, g.entitlement_id, g.account_id) x
  join accounts a on a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.account_id = x."accountId"
  where true
    ${sources.length > 0 ? db`and x."isOfSources"` : db``}
    ${expires === null ? db`` : expires ? db`and x."expiresAt" is not null` : db`and x."expiresAt" is null`}
    ${
      userStatuses.length > 0
        ? db`and a.user_id in (select u.user_id from users u
            where u.tenant_id = ${tenantId} and u.status = any(${userStatuses}::text[]))`
        : db``
    }
    ${
      query === ''
        ? db``
        : db`and (strpos(${nameOf(db)}, lower(${query})) > 0 or strpos(lower(a.username), lower(${query})) > 0
            or strpos(lower(a.email), lower(${query})) > 0)`
    }`

/** Who holds an entitlement and fits a filter, in an order; by account without one. */
export async function searchHolders(
  db: Reads,
  tenantId: number,
  entitlement: EntitlementRef,
  moment: Moment,
  { filter, order }: { filter: HolderFilter; order: HolderOrder },
  page: PageAsked,
): Promise<(Holding & { key: string })[]> {
  const sortable = order ? sortables(db)[order.key] : { by: db`''::text`, type: 'text' as const }
  const sorted = inOrder(db, sortable, order?.isDescending ?? false, [db`a.account_id`], page)
  return db<(Holding & { key: string })[]>`
    select x."appId", x."entitlementId", x."accountId", x."grantedAt", x."expiresAt", ${sorted.value} as key
    from ${holdersOf(db, tenantId, entitlement, moment, filter)} ${sorted.after} ${sorted.by}`
}

/** How many hold an entitlement and fit a filter, at most `limit`. */
export async function countHolders(
  db: Reads,
  tenantId: number,
  entitlement: EntitlementRef,
  moment: Moment,
  filter: HolderFilter,
  limit: number,
): Promise<number> {
  const { appId, id } = entitlement
  const which = isUnfiltered(filter)
    ? db`select distinct g.account_id from grants g
        where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${id} and ${held(db, moment)}`
    : db`select 1 from ${holdersOf(db, tenantId, entitlement, moment, filter)}`
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from (${which} limit ${limit}) y`
  return row?.count ?? 0
}

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
 * The record of one account, by entitlement. Of the past it is read whole and then looked at by time: `offset 0` keeps
 * the planner from reading the record of the whole app, which it takes for cheaper.
 */
const rowsOfAccount = (
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

/** One account and one entitlement: null where the one does not hold the other. */
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

/** Which of a user's accounts hold an entitlement. */
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

/** Which of these entitlements a user holds, by whichever of their accounts. */
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

/** For which reasons each of these is held, the earliest first. */
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
// At one moment there is at most one row of each source that holds.
const sourcesMax = 5

/**
 * Who of these users hold an entitlement now, by whichever of their accounts; from one source, where it is said. One probe of
 * an index for each account (`offset 0` keeps it so): of 10,000 accounts that PostgreSQL had not counted yet, it compared each
 * with all grants of the app, for 40 s.
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

/** Empty lists and texts filter nothing; `accounts` does where it is not null. */
export type HeldFilter = {
  accounts: readonly AccountRef[] | null
  appIds: readonly string[]
  entitlements: readonly EntitlementRef[]
  entitlementIds?: readonly string[]
  entitlementName?: string
  slugs: readonly string[]
  purposes: readonly string[]
  resourceIds: readonly string[]
  resourceTypeIds: readonly string[]
  resourceName?: string
}

/** What is held, by app, account and entitlement where accounts are given, else by app, entitlement and account. */
export const searchHeld = (
  db: Reads,
  tenantId: number,
  filter: HeldFilter,
  moment: Moment,
  page: PageAsked,
): Promise<Holding[]> =>
  filter.accounts
    ? searchByAccounts(db, tenantId, filter, filter.accounts, moment, page)
    : searchByEntitlements(db, tenantId, filter, moment, page)

/** Where a holding stands in the order of `searchHeld`. */
export const placeOf = (
  { accounts }: Pick<HeldFilter, 'accounts'>,
  { appId, entitlementId, accountId }: Holding,
): [string, string, string] => (accounts ? [appId, accountId, entitlementId] : [appId, entitlementId, accountId])

const isBefore = (a: readonly [string, string], b: readonly [string, string]): boolean =>
  a[0] === b[0] ? a[1] < b[1] : a[0] < b[0]

// A page of each account's at the most, whatever they hold: each is a probe of an index in the order of the page.
async function searchByAccounts(
  db: Reads,
  tenantId: number,
  filter: HeldFilter,
  accounts: readonly AccountRef[],
  moment: Moment,
  page: PageAsked,
): Promise<Holding[]> {
  const [afterApp = '', afterAccount = '', afterEntitlement = ''] = (page.after ?? []) as string[]
  const from = [afterApp, afterAccount] as const
  const wanted = accounts.filter(
    ({ appId, id }) => !isBefore([appId, id], from) && (filter.appIds.length === 0 || filter.appIds.includes(appId)),
  )
  if (wanted.length === 0) return []
  const key = { appId: db`a.app_id`, accountId: db`a.account_id`, after: db`a.after` }
  const isFrom = ({ appId, id }: AccountRef): boolean => appId === afterApp && id === afterAccount
  return db<Holding[]>`
    select x.* from unnest(
      ${wanted.map(({ appId }) => appId)}::text[],
      ${wanted.map(({ id }) => id)}::text[],
      ${wanted.map((account) => (isFrom(account) ? afterEntitlement : ''))}::text[]
    ) as a (app_id, account_id, after)
    cross join lateral (
      select ${columns(db)} from ${rowsOfAccount(db, tenantId, key, moment)} g
      ${needsEntitlement(filter) ? joinEntitlement(db, tenantId) : db``}
      where ${held(db, moment)} ${entitlementConditions(db, tenantId, filter)}
      group by g.app_id, g.account_id, g.entitlement_id
      order by g.entitlement_id limit ${page.limit}) x
    order by x."appId", x."accountId", x."entitlementId" limit ${page.limit}`
}

// From entitlement to entitlement in the order of the page, and of each no more than the page holds.
async function searchByEntitlements(
  db: Reads,
  tenantId: number,
  filter: HeldFilter,
  moment: Moment,
  page: PageAsked,
): Promise<Holding[]> {
  const [afterApp = '', afterEntitlement = '', afterAccount = ''] = (page.after ?? []) as string[]
  return db<Holding[]>`
    select x.* from entitlements e
    cross join lateral (
      select ${columns(db)} from grants g
      where g.tenant_id = ${tenantId} and g.app_id = e.app_id and g.entitlement_id = e.entitlement_id
        and g.account_id > case when (e.app_id, e.entitlement_id) = (${afterApp}, ${afterEntitlement})
          then ${afterAccount} else '' end
        and ${held(db, moment)}
      group by g.app_id, g.entitlement_id, g.account_id
      order by g.account_id limit ${page.limit}) x
    where e.tenant_id = ${tenantId} and (e.app_id, e.entitlement_id) >= (${afterApp}, ${afterEntitlement})
      ${moment.isNow ? db`and e.deleted_at is null` : db``}
      ${filter.appIds.length > 0 ? db`and e.app_id = any(${filter.appIds}::text[])` : db``}
      ${entitlementConditions(db, tenantId, filter)}
    order by e.app_id, e.entitlement_id, x."accountId" limit ${page.limit}`
}

const joinEntitlement = (db: Reads, tenantId: number) => db`
  join entitlements e on e.tenant_id = ${tenantId} and e.app_id = g.app_id and e.entitlement_id = g.entitlement_id`

const needsEntitlement = (filter: HeldFilter): boolean =>
  [filter.entitlements, filter.entitlementIds ?? [], filter.slugs, filter.purposes].some((each) => each.length > 0) ||
  [filter.resourceIds, filter.resourceTypeIds].some((each) => each.length > 0) ||
  [filter.entitlementName ?? '', filter.resourceName ?? ''].some((each) => each.trim() !== '')

function entitlementConditions(db: Reads, tenantId: number, filter: HeldFilter) {
  const none = db``
  const any = (values: readonly string[]) => db`any(${values}::text[])`
  const { entitlements, entitlementIds = [], slugs, purposes, resourceIds, resourceTypeIds } = filter
  return db`
    ${
      entitlements.length > 0
        ? db`and (e.app_id, e.entitlement_id) in (select * from unnest(
            ${entitlements.map(({ appId }) => appId)}::text[], ${entitlements.map(({ id }) => id)}::text[]))`
        : none
    }
    ${entitlementIds.length > 0 ? db`and e.entitlement_id = ${any(entitlementIds)}` : none}
    ${slugs.length > 0 ? db`and e.slug = ${any(slugs)}` : none}
    ${purposes.length > 0 ? db`and e.purpose = ${any(purposes)}` : none}
    ${resourceIds.length > 0 ? db`and e.resource_id = ${any(resourceIds)}` : none}
    ${resourceTypeIds.length > 0 ? db`and e.resource_type_id = ${any(resourceTypeIds)}` : none}
    ${isNamed(db, tenantId, 'entitlement', db`e.entitlement_id`, filter.entitlementName ?? '')}
    ${isNamed(db, tenantId, 'resource', db`e.resource_id`, filter.resourceName ?? '')}`
}

/** Whether the name of a thing begins like this, or all words of it are words of the name. */
export const isNamed = (db: Reads, tenantId: number, kind: 'entitlement' | 'resource', id: Fragment, name: string) =>
  name.trim() === '' ? db`` : db`and ${isCalled(db, tenantId, kind, id, name)}`

/** The open task that is to take something from an account, or from the person whose it is. Tasks are read here, and only read. */
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

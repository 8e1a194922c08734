import { isSeenEntitlement, type Place } from '#authority/sight/index.ts'
import type { Page } from '#kernel/pages.ts'
import type { Fragment, Reads } from '#kernel/sql.ts'
import type { GrantSource } from '#rooms/records/grants/index.ts'

type PageAsked = Pick<Page, 'after' | 'limit'>

export type GrantRow = {
  id: string
  appId: string
  appDisplayName: string
  entitlementId: string
  entitlementDisplayName: string
  accountId: string
  accountDisplayName: string
  userId: string
  userDisplayName: string
  userStatus: string
  source: GrantSource
  grantedBy: string
  grantedAt: Date
  expiresAt: Date | null
}

/** Null and false filter nothing. */
export type GrantFilter = {
  appId: string | null
  source: GrantSource | null
  /** Only grants that end by this time. */
  endsUntil: Date | null
  isOfLeavers: boolean
  /** Only of entitlements that the caller owns by these. */
  places: readonly Place[] | null
}

export type Wanted = { filter: GrantFilter; at: Date; page: PageAsked }

/**
 * Grants of all apps: those that end by their end, those of leavers by user, all others by app, entitlement, account and
 * source. Each page is read by an index in that order. Of 1,000,000 grants: those that end and those granted individually
 * have a separate index (0059); leavers are read one by one, as far as the page needs; for one source among imports and
 * rules, the index of all grants is read and the others are skipped, to its end if there is none.
 */
export async function listGrants(db: Reads, tenantId: number, wanted: Wanted): Promise<GrantRow[]> {
  const { filter, page } = wanted
  if (filter.places?.length === 0) return []
  return namedGrants<GrantRow>(db, tenantId, readOf(db, tenantId, wanted), page.limit)
}

/** A row of a sorted list, with the value that it is sorted by. */
export type Named = GrantRow & { key: string }

/** Grants `g` with the names of their user, account, entitlement and app. */
export const namedGrants = <T extends GrantRow>(
  db: Reads,
  tenantId: number,
  { rows, order: by, key = db`` }: Read,
  limit: number,
): Promise<T[]> => db<T[]>`
    select g.grant_id as id, g.app_id as "appId", p.display_name as "appDisplayName", g.entitlement_id as "entitlementId",
      e.display_name as "entitlementDisplayName", g.account_id as "accountId", a.display_name as "accountDisplayName",
      coalesce(a.user_id, '') as "userId", coalesce(u.display_name, '') as "userDisplayName",
      coalesce(u.status, '') as "userStatus", g.source, g.granted_by as "grantedBy", g.granted_at as "grantedAt",
      g.expires_at as "expiresAt" ${key}
    from (${rows}) g
    join apps p on p.tenant_id = ${tenantId} and p.app_id = g.app_id
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = g.app_id and e.entitlement_id = g.entitlement_id
    join accounts a on a.tenant_id = ${tenantId} and a.app_id = g.app_id and a.account_id = g.account_id
    left join users u on u.tenant_id = ${tenantId} and u.user_id = a.user_id
    order by ${by} limit ${limit}`

/** How many grants match a filter, at most `limit`. */
export async function countGrants(
  db: Reads,
  tenantId: number,
  filter: GrantFilter,
  at: Date,
  limit: number,
): Promise<number> {
  if (filter.places?.length === 0) return 0
  const wanted = { filter, at, page: { after: null, limit } }
  const { places, isOfLeavers, endsUntil, source } = filter
  // Without a separate index the rows are counted in no order, as they are in the table: for 200,000 that takes a fifth of
  // the time.
  const hasIndex = isOfLeavers || endsUntil || (source && isRare(source))
  const rows =
    places || hasIndex
      ? readOf(db, tenantId, wanted).rows
      : db`select 1 from grants g where ${isWanted(db, tenantId, wanted)} limit ${limit}`
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from (${rows}) g`
  return row?.count ?? 0
}

function readOf(db: Reads, tenantId: number, wanted: Wanted): Read {
  const { isOfLeavers, endsUntil, places } = wanted.filter
  if (isOfLeavers) return leaversGrants(db, tenantId, wanted)
  if (endsUntil) return endingGrants(db, tenantId, wanted, endsUntil)
  return places ? ownedGrants(db, tenantId, wanted, places) : allGrants(db, tenantId, wanted)
}

/** The position of a grant in the list. */
export const placeOf = ({ isOfLeavers, endsUntil }: GrantFilter, row: GrantRow): string[] => {
  if (isOfLeavers) return [row.userId, row.appId, row.accountId, row.entitlementId, row.source]
  return endsUntil
    ? [row.expiresAt?.toISOString() ?? '', row.id]
    : [row.appId, row.entitlementId, row.accountId, row.source]
}

type Read = { rows: Fragment; order: Fragment; key?: Fragment }

export const columns = (
  db: Reads,
): Fragment => db`g.grant_id, g.app_id, g.entitlement_id, g.account_id, g.source, g.granted_by,
  g.granted_at, g.expires_at`
const order = (db: Reads): Fragment => db`g.app_id, g.entitlement_id, g.account_id, g.source`

// As a literal, from a closed list: with a parameter PostgreSQL does not use the index of grants granted individually.
const ofSource = (db: Reads, source: GrantSource | null): Fragment => {
  if (source === null) return db``
  return db`and g.source = ${source} ${isRare(source) ? db`and g.source <> 'import' and g.source <> 'rule'` : db``}`
}
const isRare = (source: GrantSource): boolean => source !== 'import' && source !== 'rule'

/** Rows `g` that are held now, of the app and the source of the filter. */
const isWanted = (db: Reads, tenantId: number, { filter, at }: Wanted): Fragment => db`
  g.tenant_id = ${tenantId} and g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})
  ${filter.appId === null ? db`` : db`and g.app_id = ${filter.appId}`} ${ofSource(db, filter.source)}`

const isOwned = (db: Reads, tenantId: number, places: readonly Place[] | null): Fragment =>
  places === null
    ? db``
    : db`and exists (select 1 from entitlements e where e.tenant_id = ${tenantId} and e.app_id = g.app_id
        and e.entitlement_id = g.entitlement_id and ${isSeenEntitlement(db, places)})`

/** Rows `g` that match the whole filter. */
export const isNarrowed = (db: Reads, tenantId: number, wanted: Wanted): Fragment => {
  const { endsUntil, isOfLeavers, places } = wanted.filter
  return db`${isWanted(db, tenantId, wanted)} ${isOwned(db, tenantId, places)}
    ${endsUntil ? db`and g.expires_at <= ${endsUntil}` : db``}
    ${
      isOfLeavers
        ? db`and exists (select 1 from accounts l join users m on m.tenant_id = ${tenantId} and m.user_id = l.user_id
            where l.tenant_id = ${tenantId} and l.app_id = g.app_id and l.account_id = g.account_id
              and l.deleted_at is null and m.status <> 'ENABLED')`
        : db``
    }`
}

const afterOf = ({ page }: Wanted): string[] => (page.after ?? []) as string[]

function allGrants(db: Reads, tenantId: number, wanted: Wanted): Read {
  const [app = '', entitlement = '', account = '', source = ''] = afterOf(wanted)
  const rows = db`
    select ${columns(db)} from grants g
    where ${isWanted(db, tenantId, wanted)}
      and (g.app_id, g.entitlement_id, g.account_id, g.source) > (${app}, ${entitlement}, ${account}, ${source})
    order by ${order(db)} limit ${wanted.page.limit}`
  return { rows, order: order(db) }
}

/** From one owned entitlement to the next, and of each no more than the page holds. */
function ownedGrants(db: Reads, tenantId: number, wanted: Wanted, places: readonly Place[]): Read {
  const [app = '', entitlement = '', account = '', source = ''] = afterOf(wanted)
  const { limit } = wanted.page
  const rows = db`
    select x.* from entitlements e
    cross join lateral (
      select ${columns(db)} from grants g
      where ${isWanted(db, tenantId, wanted)} and g.app_id = e.app_id and g.entitlement_id = e.entitlement_id
        and (g.app_id, g.entitlement_id, g.account_id, g.source) > (${app}, ${entitlement}, ${account}, ${source})
      order by g.account_id, g.source limit ${limit}) x
    where e.tenant_id = ${tenantId} and (e.app_id, e.entitlement_id) >= (${app}, ${entitlement}) and e.deleted_at is null
      and ${isSeenEntitlement(db, places)}
    order by x.app_id, x.entitlement_id, x.account_id, x.source limit ${limit}`
  return { rows, order: order(db) }
}

function endingGrants(db: Reads, tenantId: number, wanted: Wanted, until: Date): Read {
  const [at, id] = afterOf(wanted)
  const rows = db`
    select ${columns(db)} from grants g
    where ${isWanted(db, tenantId, wanted)} and g.expires_at is not null and g.expires_at <= ${until}
      and g.expires_at > ${wanted.at} ${isOwned(db, tenantId, wanted.filter.places)}
      ${at === undefined || id === undefined ? db`` : db`and (g.expires_at, g.grant_id) > (${at}::timestamptz, ${id})`}
    order by g.expires_at, g.grant_id limit ${wanted.page.limit}`
  return { rows, order: db`g.expires_at, g.grant_id` }
}

/**
 * Users who were disabled or deleted and still hold something. Each status is a range in the index of users who are not
 * enabled.
 */
function leaversGrants(db: Reads, tenantId: number, wanted: Wanted): Read {
  const [user = '', app = '', account = '', entitlement = '', source = ''] = afterOf(wanted)
  const { limit } = wanted.page
  const { endsUntil, places } = wanted.filter
  const ofStatus = (status: 'DISABLED' | 'DELETED'): Fragment => db`(
    select x.* from users u
    cross join lateral (
      select ${columns(db)}, b.user_id from accounts b
      join grants g on g.tenant_id = ${tenantId} and g.app_id = b.app_id and g.account_id = b.account_id
      where b.tenant_id = ${tenantId} and b.user_id = u.user_id and b.deleted_at is null and ${isWanted(db, tenantId, wanted)}
        ${endsUntil ? db`and g.expires_at <= ${endsUntil}` : db``} ${isOwned(db, tenantId, places)}
        and (u.user_id > ${user}
          or (g.app_id, g.account_id, g.entitlement_id, g.source) > (${app}, ${account}, ${entitlement}, ${source}))
      order by g.app_id, g.account_id, g.entitlement_id, g.source limit ${limit}) x
    where u.tenant_id = ${tenantId} and u.status = ${status} and u.status <> 'ENABLED' and u.user_id >= ${user}
    order by u.user_id, x.app_id, x.account_id, x.entitlement_id, x.source limit ${limit})`
  const sorted = db`g.user_id, g.app_id, g.account_id, g.entitlement_id, g.source`
  const rows = db`select g.* from (${ofStatus('DISABLED')} union all ${ofStatus('DELETED')}) g order by ${sorted} limit ${limit}`
  return { rows, order: sorted }
}

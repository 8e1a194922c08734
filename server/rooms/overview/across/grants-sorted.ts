import { inOrder, type Order } from '#kernel/order.ts'
import type { Page } from '#kernel/pages.ts'
import type { Fragment, Reads } from '#kernel/sql.ts'
import { columns, type GrantRow, isNarrowed, type Named, namedGrants, type Wanted } from './grants-store.ts'

export const grantOrders = ['granted', 'expires', 'entitlement', 'app', 'user'] as const
export type GrantOrderKey = (typeof grantOrders)[number]
export type GrantOrder = NonNullable<Order<GrantOrderKey>>

type PageAsked = Pick<Page, 'after' | 'limit'>
/** The rows of one part of the list, after a position in it. `g.key` is the value that they are sorted by, as text. */
type Part = { rows: (page: PageAsked) => Fragment; order: Fragment; placeOf: (row: Named) => string[] }

/**
 * Grants of all apps in the order of a column. What a row may lack, an expiry or a user, makes a second part of the list, which comes
 * last in both directions: it is read only where the first ends. A position begins with the number of its part.
 *
 * Times have an index each (grants_ending, grants_granted). Names are those of other tables: these are walked in order, and of each
 * entitlement, app or person no more grants are read than the page holds. So a page of 1,000,000 grants costs as much as a page of few. A
 * filter that leaves few of many makes the walk long: it runs in a separate transaction, under statement_timeout.
 */
export async function listSortedGrants(
  db: Reads,
  tenantId: number,
  wanted: Wanted,
  order: GrantOrder,
): Promise<(GrantRow & { place: string[] })[]> {
  const { after, limit } = wanted.page
  const parts = partsOf[order.key](db, tenantId, wanted, order.isDescending)
  const first = Number(after?.[0] ?? 0)
  const found: (GrantRow & { place: string[] })[] = []
  for (const [number, part] of parts.entries()) {
    if (number < first || found.length >= limit) continue
    const page = { after: number === first && after ? after.slice(1) : null, limit: limit - found.length }
    const rows = await namedGrants<Named>(
      db,
      tenantId,
      { rows: part.rows(page), order: part.order, key: db`, g.key` },
      page.limit,
    )
    found.push(...rows.map((row) => ({ ...row, place: [String(number), ...part.placeOf(row)] })))
  }
  return found
}

type PartsOf = (db: Reads, tenantId: number, wanted: Wanted, isDescending: boolean) => Part[]

const partsOf: Record<GrantOrderKey, PartsOf> = {
  granted: (db, tenantId, wanted, isDescending) => [
    // The condition of its index (0065).
    byTime(db, tenantId, wanted, isDescending, { by: db`g.granted_at`, and: db`and g.source <> ''` }),
  ],
  expires: (db, tenantId, wanted, isDescending) => [
    byTime(db, tenantId, wanted, isDescending, { by: db`g.expires_at`, and: db`and g.expires_at is not null` }),
    // A filter by expiry excludes grants that never expire.
    ...(wanted.filter.endsUntil ? [] : [unending(db, tenantId, wanted)]),
  ],
  entitlement: (db, tenantId, wanted, isDescending) => [byEntitlement(db, tenantId, wanted, isDescending)],
  app: (db, tenantId, wanted, isDescending) => [byApp(db, tenantId, wanted, isDescending)],
  user: (db, tenantId, wanted, isDescending) => [
    byUser(db, tenantId, wanted, isDescending),
    ...(wanted.filter.isOfLeavers ? [] : [ofNobody(db, tenantId, wanted)]),
  ],
}

const textsOf = ({ after }: PageAsked): string[] => (after ?? []) as string[]
const wayOf = (db: Reads, isDescending: boolean): Fragment => (isDescending ? db`desc` : db`asc`)
const onFrom = (db: Reads, isDescending: boolean): Fragment => (isDescending ? db`<=` : db`>=`)

function byTime(
  db: Reads,
  tenantId: number,
  wanted: Wanted,
  isDescending: boolean,
  { by, and }: { by: Fragment; and: Fragment },
): Part {
  const sorted = (page: PageAsked) => inOrder(db, { by, type: 'timestamptz' }, isDescending, [db`g.grant_id`], page)
  const way = wayOf(db, isDescending)
  return {
    rows: (page) => db`
      select ${columns(db)}, (${by})::text as key from grants g
      where ${isNarrowed(db, tenantId, wanted)} ${and} ${sorted(page).after} ${sorted(page).by}`,
    order: db`${by} ${way}, g.grant_id ${way}`,
    placeOf: ({ key, id }) => [key, id],
  }
}

function unending(db: Reads, tenantId: number, wanted: Wanted): Part {
  const order = db`g.app_id, g.entitlement_id, g.account_id, g.source`
  return {
    rows(page) {
      const [app = '', entitlement = '', account = '', source = ''] = textsOf(page)
      return db`
        select ${columns(db)}, '' as key from grants g
        where ${isNarrowed(db, tenantId, wanted)} and g.expires_at is null
          and (g.app_id, g.entitlement_id, g.account_id, g.source) > (${app}, ${entitlement}, ${account}, ${source})
        order by ${order} limit ${page.limit}`
    },
    order,
    placeOf: ({ appId, entitlementId, accountId, source }) => [appId, entitlementId, accountId, source],
  }
}

function byEntitlement(db: Reads, tenantId: number, wanted: Wanted, isDescending: boolean): Part {
  const way = wayOf(db, isDescending)
  return {
    rows(page) {
      const [key = '', app = '', entitlement = '', account = '', source = ''] = textsOf(page)
      const from = db`and (lower(e.display_name), e.app_id, e.entitlement_id) ${onFrom(db, isDescending)} (${key}, ${app}, ${entitlement})`
      return db`
        select x.*, lower(e.display_name) as key from entitlements e
        cross join lateral (
          select ${columns(db)} from grants g
          where ${isNarrowed(db, tenantId, wanted)} and g.app_id = e.app_id and g.entitlement_id = e.entitlement_id
            and (e.app_id <> ${app} or e.entitlement_id <> ${entitlement} or (g.account_id, g.source) > (${account}, ${source}))
          order by g.account_id, g.source limit ${page.limit}) x
        where e.tenant_id = ${tenantId} and e.deleted_at is null ${page.after ? from : db``}
          ${wanted.filter.appId === null ? db`` : db`and e.app_id = ${wanted.filter.appId}`}
        order by lower(e.display_name) ${way}, e.app_id ${way}, e.entitlement_id ${way}, x.account_id, x.source
        limit ${page.limit}`
    },
    order: db`g.key ${way}, g.app_id ${way}, g.entitlement_id ${way}, g.account_id, g.source`,
    placeOf: ({ key, appId, entitlementId, accountId, source }) => [key, appId, entitlementId, accountId, source],
  }
}

function byApp(db: Reads, tenantId: number, wanted: Wanted, isDescending: boolean): Part {
  const way = wayOf(db, isDescending)
  return {
    rows(page) {
      const [key = '', app = '', entitlement = '', account = '', source = ''] = textsOf(page)
      const from = db`and (lower(p.display_name), p.app_id) ${onFrom(db, isDescending)} (${key}, ${app})`
      return db`
        select x.*, lower(p.display_name) as key from apps p
        cross join lateral (
          select ${columns(db)} from grants g
          where ${isNarrowed(db, tenantId, wanted)} and g.app_id = p.app_id
            and (p.app_id <> ${app} or (g.entitlement_id, g.account_id, g.source) > (${entitlement}, ${account}, ${source}))
          order by g.entitlement_id, g.account_id, g.source limit ${page.limit}) x
        where p.tenant_id = ${tenantId} and p.deleted_at is null ${page.after ? from : db``}
          ${wanted.filter.appId === null ? db`` : db`and p.app_id = ${wanted.filter.appId}`}
        order by lower(p.display_name) ${way}, p.app_id ${way}, x.entitlement_id, x.account_id, x.source limit ${page.limit}`
    },
    order: db`g.key ${way}, g.app_id ${way}, g.entitlement_id, g.account_id, g.source`,
    placeOf: ({ key, appId, entitlementId, accountId, source }) => [key, appId, entitlementId, accountId, source],
  }
}

const ofAccount = (db: Reads): Fragment => db`g.app_id, g.account_id, g.entitlement_id, g.source`

/** People by name. Deleted people are not in users_by_name: they are few, and sorted. */
function byUser(db: Reads, tenantId: number, wanted: Wanted, isDescending: boolean): Part {
  const way = wayOf(db, isDescending)
  const order = db`g.key ${way}, g.user_id ${way}, ${ofAccount(db)}`
  return {
    rows(page) {
      const [key = '', user = '', app = '', account = '', entitlement = '', source = ''] = textsOf(page)
      const from = db`and (lower(u.display_name), u.user_id) ${onFrom(db, isDescending)} (${key}, ${user})`
      const of = (isThere: Fragment): Fragment => db`(
        select x.*, u.user_id, lower(u.display_name) as key from users u
        cross join lateral (
          select ${columns(db)} from accounts b
          join grants g on g.tenant_id = ${tenantId} and g.app_id = b.app_id and g.account_id = b.account_id
          where b.tenant_id = ${tenantId} and b.user_id = u.user_id and ${isNarrowed(db, tenantId, wanted)}
            and (u.user_id <> ${user} or (${ofAccount(db)}) > (${app}, ${account}, ${entitlement}, ${source}))
          order by ${ofAccount(db)} limit ${page.limit}) x
        where u.tenant_id = ${tenantId} and ${isThere} ${page.after ? from : db``}
          ${wanted.filter.isOfLeavers ? db`and u.status <> 'ENABLED'` : db``}
        order by lower(u.display_name) ${way}, u.user_id ${way}, x.app_id, x.account_id, x.entitlement_id, x.source
        limit ${page.limit})`
      return db`select g.* from (${of(db`u.deleted_at is null`)} union all ${of(db`u.deleted_at is not null`)}) g
        order by ${order} limit ${page.limit}`
    },
    order,
    placeOf: ({ key, userId, appId, accountId, entitlementId, source }) => [
      key,
      userId,
      appId,
      accountId,
      entitlementId,
      source,
    ],
  }
}

/** Of accounts without a user. */
function ofNobody(db: Reads, tenantId: number, wanted: Wanted): Part {
  const order = ofAccount(db)
  return {
    rows(page) {
      const [app = '', account = '', entitlement = '', source = ''] = textsOf(page)
      return db`
        select x.*, '' as key from accounts b
        cross join lateral (
          select ${columns(db)} from grants g
          where ${isNarrowed(db, tenantId, wanted)} and g.app_id = b.app_id and g.account_id = b.account_id
            and (${order}) > (${app}, ${account}, ${entitlement}, ${source})
          order by g.entitlement_id, g.source limit ${page.limit}) x
        where b.tenant_id = ${tenantId} and b.user_id is null and b.deleted_at is null
          and (b.app_id, b.account_id) >= (${app}, ${account})
          ${wanted.filter.appId === null ? db`` : db`and b.app_id = ${wanted.filter.appId}`}
        order by b.app_id, b.account_id, x.entitlement_id, x.source limit ${page.limit}`
    },
    order,
    placeOf: ({ appId, accountId, entitlementId, source }) => [appId, accountId, entitlementId, source],
  }
}

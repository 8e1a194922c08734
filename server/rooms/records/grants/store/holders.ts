import { inOrder, type Order, type Sortable } from '#kernel/order.ts'
import type { Reads } from '#kernel/sql.ts'
import type { EntitlementRef, Holding, Moment } from '../grant.ts'
import { columns, held, type PageAsked } from './held.ts'

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
  /** Whether it expires. */
  expires: boolean | null
  userStatuses: readonly string[]
}

/** Whether the only condition is that they hold it. */
export const isUnfiltered = ({ query, sources, expires, userStatuses }: HolderFilter): boolean =>
  query === '' && sources.length === 0 && expires === null && userStatuses.length === 0

// The name of an account in lists: see `accountName` of the console.
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

/** Who holds an entitlement and matches a filter, in an order; by account by default. */
export async function searchHolders(
  db: Reads,
  tenantId: number,
  entitlement: EntitlementRef,
  moment: Moment,
  { filter, order, page }: { filter: HolderFilter; order: HolderOrder; page: PageAsked },
): Promise<(Holding & { key: string })[]> {
  const sortable = order ? sortables(db)[order.key] : { by: db`''::text`, type: 'text' as const }
  const sorted = inOrder(db, sortable, order?.isDescending ?? false, [db`a.account_id`], page)
  return db<(Holding & { key: string })[]>`
    select x."appId", x."entitlementId", x."accountId", x."grantedAt", x."expiresAt", ${sorted.value} as key
    from ${holdersOf(db, tenantId, entitlement, moment, filter)} ${sorted.after} ${sorted.by}`
}

/** How many hold an entitlement and match a filter, at most `limit`. */
export async function countHolders(
  db: Reads,
  tenantId: number,
  entitlement: EntitlementRef,
  moment: Moment,
  { filter, limit }: { filter: HolderFilter; limit: number },
): Promise<number> {
  const { appId, id } = entitlement
  const which = isUnfiltered(filter)
    ? db`select distinct g.account_id from grants g
        where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${id} and ${held(db, moment)}`
    : db`select 1 from ${holdersOf(db, tenantId, entitlement, moment, filter)}`
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from (${which} limit ${limit}) y`
  return row?.count ?? 0
}

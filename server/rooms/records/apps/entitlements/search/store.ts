import { isSeenEntitlement, type Place } from '#authority/sight/index.ts'
import { inOrder, type Order, type Sortable } from '#kernel/order.ts'
import { searchInParts } from '#kernel/search.ts'
import type { Fragment, Reads } from '#kernel/sql.ts'
import { entitlementsAround } from '../../around.ts'
import { after, among, type PageAsked } from '../../filters.ts'
import type { Entitlement } from '../../records.ts'
import { entitlementColumns } from '../store.ts'
import { conditionsOf, type EntitlementFilter, kindsWanted } from './conditions.ts'

export const entitlementOrders = [
  'name',
  'app',
  'resource',
  'resourceType',
  'purpose',
  'risk',
  'duration',
  'members',
  'created',
] as const
export type EntitlementOrder = Order<(typeof entitlementOrders)[number]>

const sortables = (db: Reads, tenantId: number): Record<(typeof entitlementOrders)[number], Sortable> => ({
  name: { by: db`lower(e.display_name)`, type: 'text' },
  app: {
    by: db`coalesce((select lower(p.display_name) from apps p
      where p.tenant_id = ${tenantId} and p.app_id = e.app_id), '')`,
    type: 'text',
  },
  resource: {
    by: db`coalesce((select lower(r.display_name) from resources r where r.tenant_id = ${tenantId}
      and r.app_id = e.app_id and r.resource_type_id = e.resource_type_id and r.resource_id = e.resource_id), '')`,
    type: 'text',
  },
  resourceType: {
    by: db`coalesce((select lower(t.display_name) from resource_types t
      where t.tenant_id = ${tenantId} and t.app_id = e.app_id and t.resource_type_id = e.resource_type_id), '')`,
    type: 'text',
  },
  purpose: { by: db`e.purpose`, type: 'text' },
  risk: {
    by: db`coalesce((select lower(v.value) from attribute_values v
      where v.tenant_id = ${tenantId} and v.value_id = e.risk_level_value_id), '')`,
    type: 'text',
  },
  // No limit sorts after any duration.
  duration: { by: db`coalesce(e.duration_grant_seconds, 9223372036854775807)`, type: 'bigint' },
  // One index-only scan for each entitlement that passes the filters.
  members: {
    by: db`(select count(distinct g.account_id) from grants g
      where g.tenant_id = ${tenantId} and g.app_id = e.app_id and g.entitlement_id = e.entitlement_id
        and g.ended_at is null)`,
    type: 'bigint',
  },
  created: { by: db`e.created_at`, type: 'timestamptz' },
})

/** Whether an entitlement is among those that the text finds: by both parts of a search, as in lists by relevance. */
async function whereNamed(db: Reads, tenantId: number, filter: EntitlementFilter): Promise<{ named: Fragment }> {
  if (filter.query === '') return { named: db`` }
  const around = { kinds: kindsWanted(filter), query: filter.query, appIds: filter.appIds }
  const page = { after: null, limit: 0 }
  const byText = await entitlementsAround(db, tenantId, around, { by: 'text', page })
  const byWords = await entitlementsAround(db, tenantId, around, { by: 'words', page })
  return {
    named: db`and e.entitlement_id in (
      select m.object_id from ${byText.found} m union all select m.object_id from ${byWords.found} m)`,
  }
}

/** How many a filter finds, at most `limit`: it stops looking there. */
export async function countEntitlements(
  db: Reads,
  tenantId: number,
  filter: EntitlementFilter,
  places: readonly Place[] | null,
  limit: number,
): Promise<number> {
  const within = places === null ? db`` : db`and ${isSeenEntitlement(db, places)}`
  const { named: isNamed } = await whereNamed(db, tenantId, filter)
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from entitlements e
      where e.tenant_id = ${tenantId} ${isNamed} ${conditionsOf(db, tenantId, filter)} ${within}
      limit ${limit}) x`
  return row?.count ?? 0
}

/** Filters that narrow a search further, by their names in the request. */
export type FacetParam = 'appIds' | 'resourceTypeIds' | 'riskLevelIds' | 'complianceFrameworkIds' | 'purposes'
export type FacetRow = { param: FacetParam | 'all'; value: string; count: number }

/** Counting stops at this number. */
export const facetedMax = 10_000
const valuesPerFacet = 50

/** How many a filter finds, in all and for each value that would narrow it: for each filter the most frequent values. */
export async function countFacets(
  db: Reads,
  tenantId: number,
  filter: EntitlementFilter,
  places: readonly Place[] | null,
): Promise<FacetRow[]> {
  const within = places === null ? db`` : db`and ${isSeenEntitlement(db, places)}`
  const { named: isNamed } = await whereNamed(db, tenantId, filter)
  return db<FacetRow[]>`
    with found as materialized (
      select e.app_id, e.resource_type_id, e.risk_level_value_id, e.compliance_framework_value_ids, e.purpose
      from entitlements e
      where e.tenant_id = ${tenantId} ${isNamed} ${conditionsOf(db, tenantId, filter)} ${within}
      limit ${facetedMax}),
    counted as (
      select 'all' as param, '' as value, count(*)::int as count from found
      union all select 'appIds', f.app_id::text, count(*)::int from found f group by f.app_id
      union all select 'resourceTypeIds', f.resource_type_id::text, count(*)::int from found f group by f.resource_type_id
      union all select 'riskLevelIds', f.risk_level_value_id::text, count(*)::int from found f group by f.risk_level_value_id
      union all select 'complianceFrameworkIds', each.id::text, count(*)::int
        from found f cross join lateral unnest(f.compliance_framework_value_ids) each (id) group by each.id
      union all select 'purposes', f.purpose, count(*)::int from found f group by f.purpose),
    ranked as (
      select c.param, c.value, c.count, row_number() over (partition by c.param order by c.count desc, c.value) as place
      from counted c where c.param = 'all' or coalesce(c.value, '') <> '')
    select r.param, r.value, r.count from ranked r where r.place <= ${valuesPerFacet} order by r.param, r.place`
}

/** The names of attribute values by their ids. */
export async function findValueNames(
  db: Reads,
  tenantId: number,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return db<{ id: string; name: string }[]>`
    select v.value_id as id, v.value as name from attribute_values v
    where v.tenant_id = ${tenantId} and v.value_id = any(${ids}::text[])`
}

/** By key and id if there is a text to search for, otherwise by app and id. */
export async function searchEntitlements(
  db: Reads,
  tenantId: number,
  { filter, places, order }: { filter: EntitlementFilter; places: readonly Place[] | null; order: EntitlementOrder },
  page: PageAsked,
): Promise<(Entitlement & { key?: string })[]> {
  const within = places === null ? db`` : db`and ${isSeenEntitlement(db, places)}`
  if (order) {
    const ids = [db`e.app_id`, db`e.entitlement_id`]
    const sorted = inOrder(db, sortables(db, tenantId)[order.key], order.isDescending, ids, page)
    const { named: isNamed } = await whereNamed(db, tenantId, filter)
    return db<(Entitlement & { key: string })[]>`
      select ${entitlementColumns(db, tenantId)}, ${sorted.value} as key from entitlements e
      where e.tenant_id = ${tenantId} ${isNamed} ${conditionsOf(db, tenantId, filter)} ${within}
        ${sorted.after} ${sorted.by}`
  }
  return filter.query === ''
    ? db<Entitlement[]>`
      select ${entitlementColumns(db, tenantId)} from entitlements e
      where e.tenant_id = ${tenantId} and (e.app_id, e.entitlement_id) > (${after(page, 0)}, ${after(page, 1)})
        ${conditionsOf(db, tenantId, filter)} ${within}
      order by e.app_id, e.entitlement_id limit ${page.limit}`
    : searchInParts(page, async (part) => {
        const around = { kinds: kindsWanted(filter), query: filter.query, appIds: filter.appIds }
        const { found } = await entitlementsAround(db, tenantId, around, part)
        return db<(Entitlement & { key: string })[]>`
          select ${entitlementColumns(db, tenantId)}, m.key from ${found} m
          join entitlements e on e.tenant_id = ${tenantId} and e.entitlement_id = m.object_id
          where true ${among(db, 'm.app_id', filter.appIds)} ${conditionsOf(db, tenantId, filter)} ${within}
          order by m.key, m.object_id limit ${part.page.limit}`
      })
}

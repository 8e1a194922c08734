import { isSeenEntitlement, type Place } from '#authority/sight/index.ts'
import { inOrder, type Order, type Sortable } from '#kernel/order.ts'
import { kindsOf, searchInParts } from '#kernel/search.ts'
import type { Fragment, Reads } from '#kernel/sql.ts'
import { entitlementsAround } from '../../around.ts'
import { after, among, heldBy, named, notAmong, type PageAsked } from '../../filters.ts'
import type { Entitlement } from '../../records.ts'
import { entitlementColumns } from '../store.ts'

type Ref = { appId: string; id: string }

/** What the entitlement makes its holder: by the name that its app uses, otherwise by its purpose. */
export const membershipTypes = ['member', 'owner', 'exclusion', 'admin'] as const
export type MembershipType = (typeof membershipTypes)[number]

const membershipTypeOf = (db: Reads) => db`case
  when lower(e.slug) = any(${membershipTypes}::text[]) then lower(e.slug)
  when e.purpose = 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP' then 'owner'
  when e.purpose = 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT' then 'member' else '' end`

export type EntitlementFilter = {
  query: string
  ids: readonly string[]
  displayName: string
  alias: string
  appIds: readonly string[]
  excludeAppIds: readonly string[]
  refs: readonly Ref[]
  excludedEntitlementRefs: readonly Ref[]
  resourceIds: readonly string[]
  resourceTypeIds: readonly string[]
  excludeResourceTypeIds: readonly string[]
  resourceTraitIds: readonly string[]
  riskLevelIds: readonly string[]
  complianceFrameworkIds: readonly string[]
  appUserIds: readonly string[]
  excludeAppUserIds: readonly string[]
  onlyGetExpiring: boolean
  includeDeleted: boolean
  isAutomated: boolean
  policyIds: readonly string[]
  requestSchemaIds: readonly string[]
  purposes: readonly string[]
  ownerIds: readonly string[]
  membershipTypes: readonly MembershipType[]
  hasOwner: boolean | null
  hasRule: boolean | null
  isRequestable: boolean | null
  sourceConnectorId: string
}

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

const kindsWanted = ({ includeDeleted }: EntitlementFilter): string[] =>
  kindsOf('entitlement', { living: true, deleted: includeDeleted })

const amongRefs = (db: Reads, refs: readonly Ref[]) => db`(e.app_id, e.entitlement_id) in (
  select * from unnest(${refs.map((ref) => ref.appId)}::text[], ${refs.map((ref) => ref.id)}::text[]))`

// Grants belong to a room further down, which this one cannot import; they are read here, and only read.
const openGrants = (db: Reads, tenantId: number) => db`
  grants g where g.tenant_id = ${tenantId} and g.app_id = e.app_id and g.entitlement_id = e.entitlement_id
    and g.ended_at is null`

const ownersOf = (db: Reads, tenantId: number) => db`
  owners o where o.tenant_id = ${tenantId} and o.kind = 'entitlement' and o.app_id = e.app_id
    and o.resource_type_id = '' and o.object_id = e.entitlement_id and o.ended_at is null`

const conditionsOf = (db: Reads, tenantId: number, filter: EntitlementFilter) => {
  const { refs, excludedEntitlementRefs, resourceTraitIds, complianceFrameworkIds, appUserIds } = filter
  const { excludeAppUserIds, excludeResourceTypeIds } = filter
  return db`
    ${filter.includeDeleted ? db`` : db`and e.deleted_at is null`}
    ${filter.alias === '' ? db`` : db`and e.alias = ${filter.alias}`}
    ${filter.sourceConnectorId === '' ? db`` : db`and e.connector_ids @> array[${filter.sourceConnectorId}::text]`}
    ${among(db, 'e.entitlement_id', filter.ids)}
    ${among(db, 'e.app_id', filter.appIds)}
    ${notAmong(db, 'e.app_id', filter.excludeAppIds)}
    ${among(db, 'e.resource_id', filter.resourceIds)}
    ${among(db, 'e.resource_type_id', filter.resourceTypeIds)}
    ${among(db, 'e.risk_level_value_id', filter.riskLevelIds)}
    ${
      filter.policyIds.length > 0
        ? db`and array[e.grant_policy_id, e.revoke_policy_id, e.certify_policy_id, e.emergency_policy_id]
          && ${filter.policyIds.filter((id) => id !== '')}::text[]`
        : db``
    }
    ${
      filter.requestSchemaIds.length > 0
        ? db`and (e.app_id, e.entitlement_id) in (
          select b.app_id, b.entitlement_id from form_bindings b
          where b.tenant_id = ${tenantId} and b.form_id = any(${filter.requestSchemaIds}::text[]))`
        : db``
    }
    ${named(db, tenantId, { kinds: kindsWanted(filter), alias: 'e', idColumn: 'entitlement_id' }, filter.displayName)}
    ${refs.length > 0 ? db`and ${amongRefs(db, refs)}` : db``}
    ${excludedEntitlementRefs.length > 0 ? db`and not ${amongRefs(db, excludedEntitlementRefs)}` : db``}
    ${
      excludeResourceTypeIds.length > 0
        ? db`and coalesce(e.resource_type_id, '') <> all(${excludeResourceTypeIds}::text[])`
        : db``
    }
    ${
      complianceFrameworkIds.length > 0
        ? // With `&&`, the up to 1,000 requested ids would be unpacked for each row; so they are hashed once.
          db`and exists (select 1 from unnest(e.compliance_framework_value_ids) each (id)
            where each.id = any(${complianceFrameworkIds}::text[]))`
        : db``
    }
    ${
      resourceTraitIds.length > 0
        ? db`and (e.app_id, e.resource_type_id) in (
          select t.app_id, t.resource_type_id from resource_types t
          where t.tenant_id = ${tenantId} and t.trait_ids && ${resourceTraitIds}::text[])`
        : db``
    }
    ${
      appUserIds.length > 0
        ? db`and (e.app_id, e.entitlement_id) in (
          select held.app_id, held.entitlement_id from ${heldBy(db, tenantId, appUserIds)} held)`
        : db``
    }
    ${
      excludeAppUserIds.length > 0
        ? db`and not exists (
          select 1 from ${openGrants(db, tenantId)} and g.account_id = any(${excludeAppUserIds}::text[]))`
        : db``
    }
    ${
      // Starts from the entitlements with a rule: they are fewer than all, and automations_alive has them in order.
      filter.isAutomated
        ? db`and (e.app_id, e.entitlement_id) in (
          select m.app_id, m.entitlement_id from automations m
          where m.tenant_id = ${tenantId} and m.deleted_at is null and m.kind <> 'none')`
        : db``
    }
    ${among(db, 'e.purpose', filter.purposes)}
    ${
      filter.membershipTypes.length > 0
        ? db`and ${membershipTypeOf(db)} = any(${filter.membershipTypes}::text[])`
        : db``
    }
    ${
      filter.ownerIds.length > 0
        ? db`and exists (select 1 from ${ownersOf(db, tenantId)} and o.user_id = any(${filter.ownerIds}::text[]))`
        : db``
    }
    ${
      filter.hasOwner === null
        ? db``
        : db`and ${filter.hasOwner ? db`` : db`not`} exists (select 1 from ${ownersOf(db, tenantId)})`
    }
    ${
      filter.hasRule === null
        ? db``
        : db`and ${filter.hasRule ? db`` : db`not`} exists (select 1 from automations m
            where m.tenant_id = ${tenantId} and m.app_id = e.app_id and m.entitlement_id = e.entitlement_id
              and m.deleted_at is null and m.kind <> 'none')`
    }
    ${
      filter.isRequestable === null
        ? db``
        : db`and ${filter.isRequestable ? db`` : db`not`} exists (select 1 from profile_entries q
            join profiles f on f.tenant_id = ${tenantId} and f.profile_id = q.profile_id
            where q.tenant_id = ${tenantId} and q.app_id = e.app_id and q.entitlement_id = e.entitlement_id
              and f.is_published and f.deleted_at is null)`
    }
    ${filter.onlyGetExpiring ? db`and exists (select 1 from ${openGrants(db, tenantId)} and g.expires_at is not null)` : db``}`
}

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

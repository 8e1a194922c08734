import { kindsOf } from '#kernel/search.ts'
import type { Fragment, Reads } from '#kernel/sql.ts'
import { among, heldBy, named, notAmong } from '../../filters.ts'

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

export const kindsWanted = ({ includeDeleted }: EntitlementFilter): string[] =>
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

/** They are the owners of its entitlements that have no owners. */
const ownersOfApp = (db: Reads, tenantId: number) => db`
  owners o where o.tenant_id = ${tenantId} and o.kind = 'app' and o.app_id = e.app_id
    and o.resource_type_id = '' and o.object_id = e.app_id and o.ended_at is null`

const hasOwner = (db: Reads, tenantId: number) => db`(
  exists (select 1 from ${ownersOf(db, tenantId)}) or exists (select 1 from ${ownersOfApp(db, tenantId)}))`

const isOwnedByAny = (db: Reads, tenantId: number, ids: readonly string[]) => db`(
  exists (select 1 from ${ownersOf(db, tenantId)} and o.user_id = any(${ids}::text[]))
  or (exists (select 1 from ${ownersOfApp(db, tenantId)} and o.user_id = any(${ids}::text[]))
    and not exists (select 1 from ${ownersOf(db, tenantId)})))`

const boundToForms = (db: Reads, tenantId: number, formIds: readonly string[]) => db`(e.app_id, e.entitlement_id) in (
  select b.app_id, b.entitlement_id from form_bindings b
  where b.tenant_id = ${tenantId} and b.form_id = any(${formIds}::text[]))`

// With `&&`, the up to 1,000 requested ids would be unpacked for each row; so they are hashed once.
const inFrameworks = (db: Reads, valueIds: readonly string[]) => db`
  exists (select 1 from unnest(e.compliance_framework_value_ids) each (id)
  where each.id = any(${valueIds}::text[]))`

const ofTraits = (db: Reads, tenantId: number, traitIds: readonly string[]) => db`(e.app_id, e.resource_type_id) in (
  select t.app_id, t.resource_type_id from resource_types t
  where t.tenant_id = ${tenantId} and t.trait_ids && ${traitIds}::text[])`

const heldByAny = (db: Reads, tenantId: number, accountIds: readonly string[]) => db`(e.app_id, e.entitlement_id) in (
  select held.app_id, held.entitlement_id from ${heldBy(db, tenantId, accountIds)} held)`

// Starts from the entitlements with a rule: they are fewer than all, and automations_alive has them in order.
const amongAutomated = (db: Reads, tenantId: number) => db`(e.app_id, e.entitlement_id) in (
  select m.app_id, m.entitlement_id from automations m
  where m.tenant_id = ${tenantId} and m.deleted_at is null and m.kind <> 'none')`

const hasRule = (db: Reads, tenantId: number) => db`exists (select 1 from automations m
  where m.tenant_id = ${tenantId} and m.app_id = e.app_id and m.entitlement_id = e.entitlement_id
    and m.deleted_at is null and m.kind <> 'none')`

const isRequestable = (db: Reads, tenantId: number) => db`exists (select 1 from profile_entries q
  join profiles f on f.tenant_id = ${tenantId} and f.profile_id = q.profile_id
  where q.tenant_id = ${tenantId} and q.app_id = e.app_id and q.entitlement_id = e.entitlement_id
    and f.is_published and f.deleted_at is null)`

/** A condition, or nothing if the filter does not ask for it. */
const when = (db: Reads, isAsked: boolean, condition: Fragment) => (isAsked ? db`and ${condition}` : db``)

/** A condition, its opposite, or nothing. */
const whether = (db: Reads, wanted: boolean | null, condition: Fragment) =>
  wanted === null ? db`` : db`and ${wanted ? db`` : db`not`} ${condition}`

export const conditionsOf = (db: Reads, tenantId: number, filter: EntitlementFilter) => {
  const { policyIds, requestSchemaIds, refs, excludedEntitlementRefs, excludeResourceTypeIds } = filter
  const { complianceFrameworkIds, resourceTraitIds, appUserIds, excludeAppUserIds, ownerIds } = filter
  const grants = openGrants(db, tenantId)
  return db`
    ${when(db, !filter.includeDeleted, db`e.deleted_at is null`)}
    ${when(db, filter.alias !== '', db`e.alias = ${filter.alias}`)}
    ${when(db, filter.sourceConnectorId !== '', db`e.connector_ids @> array[${filter.sourceConnectorId}::text]`)}
    ${among(db, 'e.entitlement_id', filter.ids)}
    ${among(db, 'e.app_id', filter.appIds)}
    ${notAmong(db, 'e.app_id', filter.excludeAppIds)}
    ${among(db, 'e.resource_id', filter.resourceIds)}
    ${among(db, 'e.resource_type_id', filter.resourceTypeIds)}
    ${among(db, 'e.risk_level_value_id', filter.riskLevelIds)}
    ${when(
      db,
      policyIds.length > 0,
      db`array[e.grant_policy_id, e.revoke_policy_id, e.certify_policy_id, e.emergency_policy_id]
        && ${policyIds.filter((id) => id !== '')}::text[]`,
    )}
    ${when(db, requestSchemaIds.length > 0, boundToForms(db, tenantId, requestSchemaIds))}
    ${named(db, tenantId, { kinds: kindsWanted(filter), alias: 'e', idColumn: 'entitlement_id' }, filter.displayName)}
    ${when(db, refs.length > 0, amongRefs(db, refs))}
    ${when(db, excludedEntitlementRefs.length > 0, db`not ${amongRefs(db, excludedEntitlementRefs)}`)}
    ${when(
      db,
      excludeResourceTypeIds.length > 0,
      db`coalesce(e.resource_type_id, '') <> all(${excludeResourceTypeIds}::text[])`,
    )}
    ${when(db, complianceFrameworkIds.length > 0, inFrameworks(db, complianceFrameworkIds))}
    ${when(db, resourceTraitIds.length > 0, ofTraits(db, tenantId, resourceTraitIds))}
    ${when(db, appUserIds.length > 0, heldByAny(db, tenantId, appUserIds))}
    ${when(
      db,
      excludeAppUserIds.length > 0,
      db`not exists (
        select 1 from ${grants} and g.account_id = any(${excludeAppUserIds}::text[]))`,
    )}
    ${when(db, filter.isAutomated, amongAutomated(db, tenantId))}
    ${among(db, 'e.purpose', filter.purposes)}
    ${when(db, filter.membershipTypes.length > 0, db`${membershipTypeOf(db)} = any(${filter.membershipTypes}::text[])`)}
    ${when(db, ownerIds.length > 0, isOwnedByAny(db, tenantId, ownerIds))}
    ${whether(db, filter.hasOwner, hasOwner(db, tenantId))}
    ${whether(db, filter.hasRule, hasRule(db, tenantId))}
    ${whether(db, filter.isRequestable, isRequestable(db, tenantId))}
    ${when(db, filter.onlyGetExpiring, db`exists (select 1 from ${grants} and g.expires_at is not null)`)}`
}

import type { May } from '#authority/proof.ts'
import { matches } from '#kernel/search.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { insertRecords, updateRecords } from '#rooms/foundation/writes/index.ts'
import { after, among, heldBy, notAmong, type PageAsked } from '../filters.ts'
import { type Purpose, strength } from '../lock-strength.ts'
import type { Resource } from '../records.ts'

export type ResourceUncounted = Omit<Resource, 'grantCount'>

const plainColumns = (db: Reads) => db`
  r.resource_id as id, r.app_id as "appId", r.resource_type_id as "appResourceTypeId",
  coalesce(r.external_id, '') as "externalId", r.display_name as "displayName", r.description,
  r.custom_description as "customDescription", r.annotations, r.profile,
  coalesce(r.parent_resource_type_id, '') as "parentAppResourceTypeId",
  coalesce(r.parent_resource_id, '') as "parentAppResourceId", r.created_at as "createdAt",
  r.updated_at as "updatedAt", r.deleted_at as "deletedAt"`

// From the resource to its entitlements and from these to their holders, written such that the planner cannot reverse it:
// after a first import it has no statistics, and joined all entitlements of an app with all its grants (over 30 s).
const columns = (db: Reads, tenantId: number) => db`
  ${plainColumns(db)},
  (select count(distinct g.account_id) from (
      select e.app_id, e.resource_type_id, e.entitlement_id from entitlements e
      where e.tenant_id = ${tenantId} and e.resource_id = r.resource_id and e.app_id = r.app_id offset 0) e
    cross join lateral (
      select g.account_id from grants g
      where g.tenant_id = ${tenantId} and g.app_id = e.app_id and g.entitlement_id = e.entitlement_id
        and g.ended_at is null offset 0) g
    where e.resource_type_id = r.resource_type_id) as "grantCount"`

export type ResourceKey = { appId: string; typeId: string; id: string }

export async function insertResource(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'resource-type.edit'>,
  resource: Resource,
): Promise<void> {
  await insertRecords(
    tx,
    tenantId,
    'resources',
    tx`
    (tenant_id, app_id, resource_type_id, resource_id, display_name, description,
      custom_description, annotations, is_manually_managed, created_at, updated_at)
    values (${tenantId}, ${resource.appId}, ${resource.appResourceTypeId}, ${resource.id}, ${resource.displayName},
      ${resource.description}, ${resource.customDescription}, ${tx.json(resource.annotations)}, true,
      ${resource.createdAt}, ${resource.updatedAt})`,
    { isFew: true },
  )
}

const ofKey = (db: Reads, tenantId: number, { appId, typeId, id }: ResourceKey) => db`
  r.tenant_id = ${tenantId} and r.app_id = ${appId} and r.resource_type_id = ${typeId} and r.resource_id = ${id}
  and r.deleted_at is null`

export async function findResource(db: Reads, tenantId: number, key: ResourceKey): Promise<Resource | null> {
  const [row] = await db<Resource[]>`select ${columns(db, tenantId)} from resources r where ${ofKey(db, tenantId, key)}`
  return row ?? null
}

/** The existing ones of some resources, deleted or not, without their counts. */
export async function findResourcesUncounted(
  db: Reads,
  tenantId: number,
  ids: readonly string[],
): Promise<ResourceUncounted[]> {
  return db<ResourceUncounted[]>`
    select ${plainColumns(db)} from resources r
    where r.tenant_id = ${tenantId} and r.resource_id = any(${ids}::text[])`
}

/** Whether the resource exists; it is then locked until the transaction ends. */
export async function holdResource(tx: Tx, tenantId: number, key: ResourceKey): Promise<boolean> {
  const rows = await tx`select 1 from resources r where ${ofKey(tx, tenantId, key)} for share`
  return rows.length > 0
}

export async function lockResource(
  tx: Tx,
  tenantId: number,
  key: ResourceKey,
  purpose: Purpose,
): Promise<Resource | null> {
  const [row] = await tx<Resource[]>`
    select ${columns(tx, tenantId)} from resources r where ${ofKey(tx, tenantId, key)}
    for ${strength(tx, purpose)} of r`
  return row ?? null
}

export async function listResources(
  db: Reads,
  tenantId: number,
  appId: string,
  typeId: string,
  page: PageAsked,
): Promise<Resource[]> {
  return db<Resource[]>`
    select ${columns(db, tenantId)} from resources r
    where r.tenant_id = ${tenantId} and r.app_id = ${appId} and r.resource_type_id = ${typeId}
      and r.deleted_at is null and r.resource_id > ${after(page, 0)}
    order by r.resource_id limit ${page.limit}`
}

export type ResourceFilter = {
  query: string
  appIds: readonly string[]
  refs: readonly { appId: string; appResourceTypeId: string; id: string }[]
  resourceIds: readonly string[]
  excludeResourceIds: readonly string[]
  resourceTypeIds: readonly string[]
  resourceTypeTraitIds: readonly string[]
  excludeResourceTypeTraitIds: readonly string[]
  appUserIds: readonly string[]
  ownerUserIds: readonly string[]
  unownedOnly: boolean
}

const withTraits = (db: Reads, tenantId: number, traitIds: readonly string[]) => db`exists (
  select 1 from resource_types t
  where t.tenant_id = ${tenantId} and t.app_id = r.app_id and t.resource_type_id = r.resource_type_id
    and t.trait_ids && ${traitIds}::text[])`

// By name, or by holding an entitlement that is an owner; as in rooms/owners, a room further down.
const ownedBy = (db: Reads, tenantId: number, userIds: readonly string[]) => db`
  (r.app_id, r.resource_type_id, r.resource_id) in (
    select o.app_id, o.resource_type_id, o.object_id from owners o
    where o.tenant_id = ${tenantId} and o.user_id = any(${userIds}::text[]) and o.kind = 'resource'
      and o.ended_at is null
    union
    select o.app_id, o.resource_type_id, o.object_id from accounts a
    join users u on u.tenant_id = a.tenant_id and u.user_id = a.user_id and u.status = 'ENABLED'
    join grants g on g.tenant_id = a.tenant_id and g.app_id = a.app_id and g.account_id = a.account_id
      and g.ended_at is null and (g.expires_at is null or g.expires_at > now())
    join owners o on o.tenant_id = g.tenant_id and o.entitlement_app_id = g.app_id
      and o.entitlement_id = g.entitlement_id and o.kind = 'resource' and o.ended_at is null
    where a.tenant_id = ${tenantId} and a.user_id = any(${userIds}::text[]) and a.deleted_at is null)`

const ownersOf = (db: Reads, tenantId: number) => db`
  select 1 from owners o
  where o.tenant_id = ${tenantId} and o.kind = 'resource' and o.app_id = r.app_id
    and o.resource_type_id = r.resource_type_id and o.object_id = r.resource_id and o.ended_at is null`

/** By key and id if there is a text to search for, otherwise by app, type and id. */
export async function searchResources(
  db: Reads,
  tenantId: number,
  filter: ResourceFilter,
  page: PageAsked,
): Promise<(Resource & { key?: string })[]> {
  const {
    refs,
    resourceTypeIds: typeIds,
    resourceTypeTraitIds: traits,
    excludeResourceTypeTraitIds: noTraits,
    appUserIds,
  } = filter
  const conditions = db`
    ${among(db, 'r.app_id', filter.appIds)}
    ${
      typeIds.length > 0
        ? db`and (r.app_id, r.resource_type_id) in (
          select t.app_id, t.resource_type_id from resource_types t
          where t.tenant_id = ${tenantId} and t.resource_type_id = any(${typeIds}::text[]))`
        : db``
    }
    ${among(db, 'r.resource_id', filter.resourceIds)}
    ${notAmong(db, 'r.resource_id', filter.excludeResourceIds)}
    ${
      refs.length > 0
        ? db`and (r.app_id, r.resource_type_id, r.resource_id) in (select * from unnest(
          ${refs.map((ref) => ref.appId)}::text[], ${refs.map((ref) => ref.appResourceTypeId)}::text[],
          ${refs.map((ref) => ref.id)}::text[]))`
        : db``
    }
    ${filter.ownerUserIds.length > 0 ? db`and ${ownedBy(db, tenantId, filter.ownerUserIds)}` : db``}
    ${filter.unownedOnly ? db`and not exists (${ownersOf(db, tenantId)})` : db``}
    ${traits.length > 0 ? db`and ${withTraits(db, tenantId, traits)}` : db``}
    ${noTraits.length > 0 ? db`and not ${withTraits(db, tenantId, noTraits)}` : db``}
    ${
      appUserIds.length > 0
        ? db`and (r.app_id, r.resource_type_id, r.resource_id) in (
          select held.app_id, held.resource_type_id, held.resource_id from ${heldBy(db, tenantId, appUserIds)} held)`
        : db``
    }`
  return filter.query === ''
    ? db<Resource[]>`
      select ${columns(db, tenantId)} from resources r
      where r.tenant_id = ${tenantId} and r.deleted_at is null
        and (r.app_id, r.resource_type_id, r.resource_id) > (${after(page, 0)}, ${after(page, 1)}, ${after(page, 2)})
        ${conditions}
      order by r.app_id, r.resource_type_id, r.resource_id limit ${page.limit}`
    : db<(Resource & { key: string })[]>`
      select ${columns(db, tenantId)}, m.key
      from ${matches(db, tenantId, 'resource', filter.query, page)} m
      join resources r on r.tenant_id = ${tenantId} and r.resource_id = m.object_id
      where r.deleted_at is null ${conditions}
      order by m.key, m.object_id limit ${page.limit}`
}

const isLiving = (tx: Tx, { appId, typeId, id }: ResourceKey) => tx`
  x.app_id = ${appId} and x.resource_type_id = ${typeId} and x.resource_id = ${id} and x.deleted_at is null`

export async function updateResource(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'resource.edit'>,
  resource: Resource,
): Promise<void> {
  const set = {
    display_name: resource.displayName,
    description: resource.description,
    custom_description: resource.customDescription,
    annotations: tx.json(resource.annotations),
    updated_at: resource.updatedAt,
  }
  const key = { appId: resource.appId, typeId: resource.appResourceTypeId, id: resource.id }
  await updateRecords(tx, tenantId, 'resources', { set, where: isLiving(tx, key) }, { isFew: true })
}

export async function deleteResource(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'resource.delete'>,
  key: ResourceKey,
  at: Date,
): Promise<void> {
  const set = { deleted_at: at, updated_at: at }
  await updateRecords(tx, tenantId, 'resources', { set, where: isLiving(tx, key) }, { isFew: true })
}

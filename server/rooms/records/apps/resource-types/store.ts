import type { May } from '#authority/proof.ts'
import { matches } from '#kernel/search.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { insertRecords, updateRecords } from '#rooms/foundation/writes/index.ts'
import { after, among, heldBy, named, notAmong, type PageAsked } from '../filters.ts'
import { type Purpose, strength } from '../lock-strength.ts'
import type { ResourceType } from '../records.ts'

const columns = (db: Reads) => db`
  t.resource_type_id as id, t.app_id as "appId", t.display_name as "displayName", t.trait_ids as "traitIds",
  t.created_at as "createdAt", t.updated_at as "updatedAt", t.deleted_at as "deletedAt"`

export async function insertResourceType(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'app.edit'>,
  type: ResourceType,
): Promise<void> {
  await insertRecords(
    tx,
    tenantId,
    'resource_types',
    tx`
    (tenant_id, app_id, resource_type_id, display_name, trait_ids, is_manually_managed,
      created_at, updated_at)
    values (${tenantId}, ${type.appId}, ${type.id}, ${type.displayName}, ${type.traitIds}, true,
      ${type.createdAt}, ${type.updatedAt})`,
    { isFew: true },
  )
}

export async function findResourceType(
  db: Reads,
  tenantId: number,
  appId: string,
  id: string,
): Promise<ResourceType | null> {
  const [row] = await db<ResourceType[]>`
    select ${columns(db)} from resource_types t
    where t.tenant_id = ${tenantId} and t.app_id = ${appId} and t.resource_type_id = ${id} and t.deleted_at is null`
  return row ?? null
}

/** The existing ones of some types, deleted or not. */
export async function findResourceTypes(db: Reads, tenantId: number, ids: readonly string[]): Promise<ResourceType[]> {
  return db<ResourceType[]>`
    select ${columns(db)} from resource_types t
    where t.tenant_id = ${tenantId} and t.resource_type_id = any(${ids}::text[])`
}

/** Whether the type exists; it is then locked until the transaction ends. */
export async function holdResourceType(tx: Tx, tenantId: number, appId: string, id: string): Promise<boolean> {
  const rows = await tx`
    select 1 from resource_types
    where tenant_id = ${tenantId} and app_id = ${appId} and resource_type_id = ${id} and deleted_at is null
    for share`
  return rows.length > 0
}

export async function lockResourceType(
  tx: Tx,
  tenantId: number,
  appId: string,
  id: string,
  purpose: Purpose,
): Promise<ResourceType | null> {
  const [row] = await tx<ResourceType[]>`
    select ${columns(tx)} from resource_types t
    where t.tenant_id = ${tenantId} and t.app_id = ${appId} and t.resource_type_id = ${id} and t.deleted_at is null
    for ${strength(tx, purpose)}`
  return row ?? null
}

export async function listResourceTypes(
  db: Reads,
  tenantId: number,
  appId: string,
  page: PageAsked,
): Promise<ResourceType[]> {
  return db<ResourceType[]>`
    select ${columns(db)} from resource_types t
    where t.tenant_id = ${tenantId} and t.app_id = ${appId} and t.deleted_at is null
      and t.resource_type_id > ${after(page, 0)}
    order by t.resource_type_id limit ${page.limit}`
}

export type ResourceTypeFilter = {
  query: string
  displayName: string
  appIds: readonly string[]
  resourceTypeIds: readonly string[]
  excludeResourceTypeIds: readonly string[]
  resourceTypeTraitIds: readonly string[]
  excludeResourceTypeTraitIds: readonly string[]
  appUserIds: readonly string[]
}

/** By key and id if there is a text to search for, otherwise by app and id. */
export async function searchResourceTypes(
  db: Reads,
  tenantId: number,
  filter: ResourceTypeFilter,
  page: PageAsked,
): Promise<(ResourceType & { key?: string })[]> {
  const { resourceTypeTraitIds: traits, excludeResourceTypeTraitIds: noTraits, appUserIds } = filter
  const conditions = db`
    ${among(db, 't.app_id', filter.appIds)}
    ${among(db, 't.resource_type_id', filter.resourceTypeIds)}
    ${notAmong(db, 't.resource_type_id', filter.excludeResourceTypeIds)}
    ${traits.length > 0 ? db`and t.trait_ids && ${traits}::text[]` : db``}
    ${noTraits.length > 0 ? db`and not t.trait_ids && ${noTraits}::text[]` : db``}
    ${named(db, tenantId, { kinds: ['resource_type'], alias: 't', idColumn: 'resource_type_id' }, filter.displayName)}
    ${
      appUserIds.length > 0
        ? db`and (t.app_id, t.resource_type_id) in (
          select held.app_id, held.resource_type_id from ${heldBy(db, tenantId, appUserIds)} held)`
        : db``
    }`
  return filter.query === ''
    ? db<ResourceType[]>`
      select ${columns(db)} from resource_types t
      where t.tenant_id = ${tenantId} and t.deleted_at is null
        and (t.app_id, t.resource_type_id) > (${after(page, 0)}, ${after(page, 1)}) ${conditions}
      order by t.app_id, t.resource_type_id limit ${page.limit}`
    : db<(ResourceType & { key: string })[]>`
      select ${columns(db)}, m.key
      from ${matches(db, tenantId, 'resource_type', filter.query, page)} m
      join resource_types t on t.tenant_id = ${tenantId} and t.resource_type_id = m.object_id
      where t.deleted_at is null ${conditions}
      order by m.key, m.object_id limit ${page.limit}`
}

export async function updateResourceType(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'resource-type.edit'>,
  type: ResourceType,
): Promise<void> {
  const set = { display_name: type.displayName, trait_ids: type.traitIds, updated_at: type.updatedAt }
  const where = tx`x.app_id = ${type.appId} and x.resource_type_id = ${type.id}`
  await updateRecords(tx, tenantId, 'resource_types', { set, where }, { isFew: true })
}

export async function deleteResourceType(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'resource-type.edit'>,
  appId: string,
  id: string,
  at: Date,
): Promise<void> {
  const set = { deleted_at: at, updated_at: at }
  const where = tx`x.app_id = ${appId} and x.resource_type_id = ${id}`
  await updateRecords(tx, tenantId, 'resource_types', { set, where }, { isFew: true })
}

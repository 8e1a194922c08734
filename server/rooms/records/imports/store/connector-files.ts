import type { Tx } from '#kernel/sql.ts'
import { insertRecords, profilesAppId, updateRecords } from '#rooms/foundation/writes/index.ts'
import { deleteSources, insertSources } from '#rooms/records/grants/index.ts'
import { appOfFile } from '../c1z/values.ts'
import { idsWith, isOwn, isShared, isUnreported, newIds, type Origin } from './origin.ts'
import { filled } from './temporary.ts'

export type AppOfFile = { appId: string; is: 'there' | 'new' | 'back' }
type Asked = { key: string; newId: string; at: Date }

/** The app of a connector's file, if it exists. */
export async function findAppOfFile(tx: Tx, tenantId: number, key: string): Promise<string | null> {
  const [row] = await tx<{ appId: string }[]>`
    select app_id as "appId" from apps
    where tenant_id = ${tenantId} and (app_id = ${key} or external_id = ${key}) and deleted_at is null
    order by app_id = ${key} desc limit 1`
  return row?.appId ?? null
}

/**
 * The app of a connector's file: by its id, else by its external id. One that does not exist is created, one that was
 * deleted is restored.
 */
export async function openAppOfFile(tx: Tx, tenantId: number, { key, newId, at }: Asked): Promise<AppOfFile | null> {
  if (key === profilesAppId) return null
  const [byId] = await tx<{ appId: string }[]>`
    select app_id as "appId" from apps where tenant_id = ${tenantId} and app_id = ${key} and deleted_at is null`
  if (byId) return { appId: byId.appId, is: 'there' }
  const [byKey] = await tx<{ appId: string; isDeleted: boolean }[]>`
    select app_id as "appId", deleted_at is not null as "isDeleted" from apps
    where tenant_id = ${tenantId} and external_id = ${key}`
  if (byKey && !byKey.isDeleted) return { appId: byKey.appId, is: 'there' }
  if (byKey) {
    await updateRecords(tx, tenantId, 'apps', {
      set: { deleted_at: null, updated_at: at },
      where: tx`x.app_id = ${byKey.appId}`,
    })
    return { appId: byKey.appId, is: 'back' }
  }
  await insertRecords(
    tx,
    tenantId,
    'apps',
    tx`(tenant_id, app_id, external_id, display_name, created_at, updated_at)
    select ${tenantId}::int, ${newId}::text, ${key}::text, ${key}::text, ${at}::timestamptz, ${at}::timestamptz`,
  )
  return { appId: newId, is: 'new' }
}

/** Makes the app known to the staged lines. To be called once the resolved tables are there. */
export async function resolveAppOfFile(tx: Tx, appId: string): Promise<void> {
  await tx`insert into resolved_apps values (0, ${appOfFile}, ${appId}, false)`
}

export async function createSourcesTable(tx: Tx): Promise<void> {
  await tx`create temporary table staged_sources (line int, entitlement text collate "C", account text collate "C",
    source text collate "C") on commit drop`
  await tx`create temporary table staged_objects (line int, kind text collate "C", key text collate "C",
    type_id text collate "C", data bytea) on commit drop`
  await tx`create temporary table staged_kept_grants (line int, is_fixed boolean, data bytea) on commit drop`
  await tx`create temporary table doubted (entitlement_id text collate "C", account_id text collate "C") on commit drop`
}

/** Saves the objects that the connector wrote, replacing earlier ones; unchanged rows are not written. */
export async function mergeObjects(
  tx: Tx,
  tenantId: number,
  appId: string,
  { isFull, origin }: { isFull: boolean; origin: Origin },
): Promise<void> {
  await tx`create index on staged_objects (kind, key)`
  await tx`analyze staged_objects`
  if (isFull) {
    await tx`create temporary table stale_objects (kind text collate "C", key text collate "C", is_shared boolean)
      on commit drop`
    const { count } = await tx`
      insert into stale_objects
      select o.kind, o.external_id, ${isShared(tx, origin, 'o')} from connector_objects o
      left join staged_objects s on s.kind = o.kind and s.key = o.external_id
      where o.tenant_id = ${tenantId} and o.app_id = ${appId} and s.key is null and ${isOwn(tx, origin, 'o')}`
    const isStale = tx`o.tenant_id = ${tenantId} and o.app_id = ${appId} and o.kind = s.kind and o.external_id = s.key`
    if (count > 0) await tx`delete from connector_objects o using stale_objects s where ${isStale} and not s.is_shared`
    if (count > 0 && origin.others.length > 0)
      await tx`
        update connector_objects o set connector_ids = array_remove(o.connector_ids, ${origin.connectorId})
        from stale_objects s where ${isStale} and s.is_shared`
  }
  await tx`
    insert into connector_objects (tenant_id, app_id, kind, external_id, type_id, data, connector_ids)
    select distinct on (s.kind, s.key) ${tenantId}::int, ${appId}::text, s.kind, s.key, s.type_id, s.data,
      case when o.kind is null then ${newIds(tx, origin)} else ${idsWith(tx, origin, 'o.connector_ids')} end
    from staged_objects s
    left join connector_objects o on o.tenant_id = ${tenantId} and o.app_id = ${appId} and o.kind = s.kind
      and o.external_id = s.key
    where o.data is distinct from s.data or o.type_id is distinct from s.type_id or ${isUnreported(tx, origin, 'o')}
    order by s.kind, s.key
    on conflict (tenant_id, app_id, kind, external_id) do update set type_id = excluded.type_id, data = excluded.data,
      connector_ids = excluded.connector_ids`
}

/** What changed in the app since the connector began to read it. */
export type InDoubt = {
  grants: readonly { entitlementId: string; accountId: string }[]
  created: readonly string[]
  deleted: readonly string[]
}

/**
 * Excludes grants and accounts that were changed in the app through its connector since it began to read the app: the file
 * may show an earlier state. To be called once it is known what would be removed.
 */
export async function leaveInDoubt(tx: Tx, { grants, created, deleted }: InDoubt): Promise<void> {
  if (created.length > 0) {
    await tx`delete from gone_accounts where account_id = any(${created}::text[])`
    await tx`
      delete from gone_grants g where g.account_id = any(${created}::text[])
        and not exists (select 1 from gone_entitlements e where e.entitlement_id = g.entitlement_id)`
  }
  if (deleted.length > 0) {
    await tx`delete from resolved_grants where account_id = any(${deleted}::text[])`
    await tx`delete from resolved_accounts where account_id = any(${deleted}::text[])`
  }
  if (grants.length === 0) return
  await tx`
    insert into doubted select * from unnest(${grants.map(({ entitlementId }) => entitlementId)}::text[],
      ${grants.map(({ accountId }) => accountId)}::text[])`
  await tx`
    delete from resolved_grants r using doubted d
    where r.entitlement_id = d.entitlement_id and r.account_id = d.account_id and r.open_grant_id is null`
  await tx`
    delete from gone_grants g using doubted d
    where g.entitlement_id = d.entitlement_id and g.account_id = d.account_id
      and not exists (select 1 from gone_accounts a where a.account_id = g.account_id)
      and not exists (select 1 from gone_entitlements e where e.entitlement_id = g.entitlement_id)`
}

/** One grant of an account and an entitlement is enough, even if the connector reports it several times. */
export async function dropRepeatedGrants(tx: Tx): Promise<number> {
  const { count } = await tx`
    delete from staged_grants s
    using (select entitlement, account, min(line) as first_line from staged_grants group by entitlement, account
      having count(*) > 1) as twice
    where s.entitlement = twice.entitlement and s.account = twice.account and s.line > twice.first_line`
  return count
}

export type Loose = { grants: number; entitlements: number; parents: number }

/**
 * Drops lines that refer to something that the file does not have. In a file that people write that is a mistake; connectors
 * regularly report such things, about deleted users and objects that they may not see.
 */
export async function dropLoose(tx: Tx): Promise<Loose> {
  const { count: grants } = await tx`
    delete from resolved_grants r
    where r.account_id is null or r.entitlement_id is null
      or exists (select 1 from gone_accounts g where g.account_id = r.account_id)
      or exists (select 1 from gone_entitlements g where g.entitlement_id = r.entitlement_id)`
  const { count: entitlements } = await tx`
    update resolved_entitlements r set resource_type_id = null, resource_id = null
    where r.resource_id is null or exists (select 1 from gone_resources g where g.resource_id = r.resource_id)`
  if (entitlements > 0)
    await tx`
      update staged_entitlements s set resource_type = '', resource = ''
      from resolved_entitlements r where r.line = s.line and r.resource_id is null`
  const { count: parents } = await tx`
    delete from resolved_parents r
    where r.resource_id is null or exists (select 1 from gone_resources g where g.resource_id = r.resource_id)`
  return { grants, entitlements, parents }
}

/**
 * Saves through which entitlements the grants of the file are held, replacing what was known of the same grants; for those
 * that another connector reports too, in addition to it. To be called once the grants are merged.
 */
export async function mergeSources(tx: Tx, tenantId: number, appId: string, origin: Origin): Promise<void> {
  await tx.unsafe(`
    create temporary table resolved_sources (entitlement_id text collate "C", account_id text collate "C",
      source_id text collate "C") on commit drop;
    create temporary table stale_sources (entitlement_id text collate "C", account_id text collate "C",
      source_id text collate "C") on commit drop`)
  await filled(
    tx,
    'resolved_sources',
    tx`
    insert into resolved_sources
    select distinct r.entitlement_id, r.account_id, v.entitlement_id
    from staged_sources s
    join resolved_grants r using (line)
    join resolved_entitlements v on v.external_id = s.source`,
  )
  const { count } = await tx`
    insert into stale_sources
    select x.entitlement_id, x.account_id, x.source_entitlement_id
    from grant_sources x
    join resolved_grants r on r.entitlement_id = x.entitlement_id and r.account_id = x.account_id
    left join resolved_sources s on s.entitlement_id = x.entitlement_id and s.account_id = x.account_id
      and s.source_id = x.source_entitlement_id
    left join grants g on g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.grant_id = r.open_grant_id
      and g.entitlement_id = r.entitlement_id and g.account_id = r.account_id
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and s.source_id is null and not ${isShared(tx, origin, 'g')}`
  if (count > 0) await deleteSources(tx, tenantId, appId, tx`stale_sources`)
  await insertSources(tx, tenantId, appId, tx`resolved_sources`)
}

/**
 * Saves what revoking the grants of the file may need, replacing what was known of the same grants. For grants that are no
 * longer in the app it is deleted, except for those that the connector granted while it read the app. To be called once the
 * grants are merged.
 */
export async function mergeKeptGrants(tx: Tx, tenantId: number, appId: string, origin: Origin): Promise<void> {
  await tx.unsafe(`
    create temporary table resolved_kept_grants (entitlement_id text collate "C", account_id text collate "C",
      is_fixed boolean, data bytea) on commit drop;
    create temporary table stale_kept_grants (entitlement_id text collate "C", account_id text collate "C") on commit drop`)
  await tx`analyze staged_kept_grants`
  await filled(
    tx,
    'resolved_kept_grants',
    tx`
    insert into resolved_kept_grants
    select r.entitlement_id, r.account_id, s.is_fixed, s.data from staged_kept_grants s join resolved_grants r using (line)`,
  )
  const { count } = await tx`
    insert into stale_kept_grants
    select x.entitlement_id, x.account_id from connector_grants x
    left join resolved_kept_grants k on k.entitlement_id = x.entitlement_id and k.account_id = x.account_id
    left join resolved_grants r on r.entitlement_id = x.entitlement_id and r.account_id = x.account_id
    left join grants g on g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = x.entitlement_id
      and g.account_id = x.account_id and g.source = 'import' and g.ended_at is null
    left join doubted d on d.entitlement_id = x.entitlement_id and d.account_id = x.account_id
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and k.data is null and d.account_id is null
      and (r.account_id is not null or g.account_id is null) and not ${isShared(tx, origin, 'g')}`
  if (count > 0)
    await tx`
      delete from connector_grants x using stale_kept_grants s
      where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.entitlement_id = s.entitlement_id
        and x.account_id = s.account_id`
  await tx`
    insert into connector_grants (tenant_id, app_id, entitlement_id, account_id, is_fixed, data)
    select ${tenantId}::int, ${appId}::text, k.entitlement_id, k.account_id, k.is_fixed, k.data
    from resolved_kept_grants k
    left join connector_grants x on x.tenant_id = ${tenantId} and x.app_id = ${appId}
      and x.entitlement_id = k.entitlement_id and x.account_id = k.account_id
    where x.data is distinct from k.data or x.is_fixed is distinct from k.is_fixed
    on conflict (tenant_id, app_id, entitlement_id, account_id)
    do update set is_fixed = excluded.is_fixed, data = excluded.data`
}

import type { May } from '#authority/proof.ts'
import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { Connector } from '../connector.ts'

const columns = (db: Reads) => db`
  connector_id as id, app_id as "appId", display_name as "displayName", description, catalog_id as "catalogId", is_built_in as "isBuiltIn", agent,
  host_id as "hostId", last_seen_at as "lastSeenAt", sync_every_seconds as "syncEverySeconds",
  next_sync_at as "nextSyncAt", cron_spec as "cronSpec", cron_time_zone as "cronTimeZone", cron_since as "cronSince",
  config, config_updated_at as "configUpdatedAt", sync_disabled_at as "syncDisabledAt", sync_disabled_reason as "syncDisabledReason",
  created_at as "createdAt", updated_at as "updatedAt", deleted_at as "deletedAt"`

export async function insertConnector(
  tx: Tx,
  tenantId: number,
  of: Pick<
    Connector,
    'id' | 'appId' | 'displayName' | 'description' | 'catalogId' | 'isBuiltIn' | 'config' | 'createdAt'
  >,
): Promise<void> {
  await tx`
    insert into connectors (tenant_id, connector_id, app_id, display_name, description, catalog_id, is_built_in, config,
      config_updated_at, next_sync_at, created_at, updated_at)
    values (${tenantId}, ${of.id}, ${of.appId}, ${of.displayName}, ${of.description}, ${of.catalogId}, ${of.isBuiltIn},
      ${of.config ? tx.json(of.config) : null}, ${of.config ? of.createdAt : null}, ${of.createdAt}, ${of.createdAt},
      ${of.createdAt})`
}

export async function findConnector(db: Reads, tenantId: number, appId: string, id: string): Promise<Connector | null> {
  const [row] = await db<Connector[]>`
    select ${columns(db)} from connectors
    where tenant_id = ${tenantId} and app_id = ${appId} and connector_id = ${id} and deleted_at is null`
  return row ?? null
}

export async function listConnectors(
  db: Reads,
  tenantId: number,
  { appId, unownedOnly }: { appId: string; unownedOnly: boolean },
  { after, limit }: Pick<Page, 'after' | 'limit'>,
): Promise<Connector[]> {
  const unowned = db`and not exists (select 1 from owners o
    where o.tenant_id = ${tenantId} and o.kind = 'connector' and o.app_id = ${appId} and o.resource_type_id = ''
      and o.object_id = connectors.connector_id and o.ended_at is null)`
  return db<Connector[]>`
    select ${columns(db)} from connectors
    where tenant_id = ${tenantId} and app_id = ${appId} and deleted_at is null ${unownedOnly ? unowned : db``}
      ${after ? db`and connector_id > ${after[0] as string}` : db``}
    order by connector_id limit ${limit}`
}

export async function setSyncDisabled(
  tx: Tx,
  tenantId: number,
  connectorId: string,
  { at, disabledAt, reason }: { at: Date; disabledAt: Date | null; reason: string },
): Promise<void> {
  await tx`
    update connectors set sync_disabled_at = ${disabledAt}, sync_disabled_reason = ${reason}, updated_at = ${at}
    where tenant_id = ${tenantId} and connector_id = ${connectorId}`
}

export async function markDeleted(tx: Tx, tenantId: number, connectorId: string, at: Date): Promise<void> {
  await tx`
    update connectors set deleted_at = ${at}, updated_at = ${at}, next_sync_at = null
    where tenant_id = ${tenantId} and connector_id = ${connectorId}`
}

/** Updates the fields that people set. */
export async function updateConnector(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'connector.edit'>,
  of: Pick<Connector, 'id' | 'displayName' | 'description' | 'config' | 'configUpdatedAt' | 'updatedAt'>,
): Promise<void> {
  await tx`
    update connectors set display_name = ${of.displayName}, description = ${of.description},
      config = ${of.config ? tx.json(of.config) : null}, config_updated_at = ${of.configUpdatedAt},
      updated_at = ${of.updatedAt}
    where tenant_id = ${tenantId} and connector_id = ${of.id}`
}

export async function updateSchedule(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'connector.edit'>,
  of: Pick<Connector, 'id' | 'cronSpec' | 'cronTimeZone' | 'cronSince' | 'nextSyncAt' | 'updatedAt'>,
): Promise<void> {
  await tx`
    update connectors set cron_spec = ${of.cronSpec}, cron_time_zone = ${of.cronTimeZone}, cron_since = ${of.cronSince},
      next_sync_at = ${of.nextSyncAt}, updated_at = ${of.updatedAt}
    where tenant_id = ${tenantId} and connector_id = ${of.id}`
}

/** In any app. */
export async function findAnyConnector(
  db: Reads,
  tenantId: number,
  id: string,
): Promise<Pick<Connector, 'id' | 'appId' | 'displayName'> | null> {
  const [row] = await db<Pick<Connector, 'id' | 'appId' | 'displayName'>[]>`
    select connector_id as id, app_id as "appId", display_name as "displayName" from connectors
    where tenant_id = ${tenantId} and connector_id = ${id} and deleted_at is null`
  return row ?? null
}

/** Those of some ids that belong to existing connectors. */
export async function findLivingConnectors(db: Reads, tenantId: number, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select connector_id as id from connectors
    where tenant_id = ${tenantId} and connector_id = any(${ids}::text[]) and deleted_at is null limit ${ids.length}`
  return rows.map(({ id }) => id)
}

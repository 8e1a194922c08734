import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { Connector } from '../connector.ts'

const columns = (db: Reads) => db`
  connector_id as id, app_id as "appId", display_name as "displayName", description, catalog_id as "catalogId", agent,
  host_id as "hostId", last_seen_at as "lastSeenAt", sync_every_seconds as "syncEverySeconds",
  next_sync_at as "nextSyncAt", sync_disabled_at as "syncDisabledAt", sync_disabled_reason as "syncDisabledReason",
  created_at as "createdAt", updated_at as "updatedAt", deleted_at as "deletedAt"`

export async function insertConnector(
  tx: Tx,
  tenantId: number,
  of: Pick<Connector, 'id' | 'appId' | 'displayName' | 'description' | 'catalogId' | 'createdAt'>,
): Promise<void> {
  await tx`
    insert into connectors (tenant_id, connector_id, app_id, display_name, description, catalog_id, next_sync_at,
      created_at, updated_at)
    values (${tenantId}, ${of.id}, ${of.appId}, ${of.displayName}, ${of.description}, ${of.catalogId}, ${of.createdAt},
      ${of.createdAt}, ${of.createdAt})`
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
  appId: string,
  { after, limit }: Pick<Page, 'after' | 'limit'>,
): Promise<Connector[]> {
  return db<Connector[]>`
    select ${columns(db)} from connectors
    where tenant_id = ${tenantId} and app_id = ${appId} and deleted_at is null
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

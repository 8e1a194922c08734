import type { Page } from '#kernel/pages.ts'
import type { Reads } from '#kernel/sql.ts'
import type { Sync } from '../connector.ts'
import type { OverviewRow, ShownCredential } from './overview.ts'

const columns = (db: Reads) => db`
  c.connector_id as id, c.app_id as "appId", a.display_name as "appName", c.display_name as "displayName",
  c.description, c.catalog_id as "catalogId", c.is_built_in as "isBuiltIn", c.agent, c.host_id as "hostId", c.last_seen_at as "lastSeenAt",
  c.next_sync_at as "nextSyncAt", c.sync_disabled_at as "syncDisabledAt", c.created_at as "createdAt", c.metadata,
  c.sync_every_seconds as "syncEverySeconds", c.cron_spec as "cronSpec", c.cron_time_zone as "cronTimeZone"`

/** Of one app or of all, newest first. */
export async function listOverview(
  db: Reads,
  tenantId: number,
  { appId, query }: { appId: string | null; query: string },
  { after, limit }: Pick<Page, 'after' | 'limit'>,
): Promise<OverviewRow[]> {
  const pattern = `%${query.replace(/[\\%_]/g, '\\$&')}%`
  return db<OverviewRow[]>`
    select ${columns(db)} from connectors c
    join apps a on a.tenant_id = ${tenantId} and a.app_id = c.app_id
    where c.tenant_id = ${tenantId} and c.deleted_at is null
      ${appId === null ? db`` : db`and c.app_id = ${appId}`}
      ${query === '' ? db`` : db`and (c.display_name ilike ${pattern} or a.display_name ilike ${pattern})`}
      ${after ? db`and c.connector_id < ${after[0] as string}` : db``}
    order by c.connector_id desc limit ${limit}`
}

export async function findOverview(
  db: Reads,
  tenantId: number,
  { appId, connectorId }: { appId: string; connectorId: string },
): Promise<OverviewRow | null> {
  const [row] = await db<OverviewRow[]>`
    select ${columns(db)} from connectors c
    join apps a on a.tenant_id = ${tenantId} and a.app_id = c.app_id
    where c.tenant_id = ${tenantId} and c.app_id = ${appId} and c.connector_id = ${connectorId} and c.deleted_at is null`
  return row ?? null
}

const credentialsMax = 10

/** The newest first: the one in use, and those that were revoked before it. */
export async function listCredentials(db: Reads, tenantId: number, connectorId: string): Promise<ShownCredential[]> {
  return db<ShownCredential[]>`
    select credential_id as id, client_id as "clientId", created_at as "createdAt", expires_at as "expiresAt",
      last_used_at as "lastUsedAt", revoked_at as "revokedAt"
    from connector_credentials where tenant_id = ${tenantId} and connector_id = ${connectorId}
    order by credential_id desc limit ${credentialsMax}`
}

/** The last sync of each of some connectors: one row for each, even if there were thousands before. */
export async function listLastSyncRows(db: Reads, tenantId: number, connectorIds: readonly string[]): Promise<Sync[]> {
  return db<Sync[]>`
    select t.* from unnest(${connectorIds}::text[]) as c (id)
    cross join lateral (
      select task_id as id, connector_id as "connectorId", kind, state, host_id as "hostId",
        lease_until as "leaseUntil", attempts, error, upload_id as "uploadId", byte_count as "byteCount",
        is_confirmed as "isConfirmed", import_id as "importId", asked_by as "askedBy", created_at as "createdAt",
        begun_at as "begunAt", ended_at as "endedAt"
      from connector_tasks
      where tenant_id = ${tenantId} and connector_id = c.id and kind = 'sync'
      order by task_id desc limit 1) t`
}

import type { Reads, Tx } from '#kernel/sql.ts'
import { findEarliest, listTenantsWith } from '#kernel/tenants-with.ts'
import type { ScimConnection } from './connection.ts'

export async function putConnection(tx: Tx, tenantId: number, of: Omit<ScimConnection, 'waitUntil'>): Promise<void> {
  await tx`
    insert into scim_connections (tenant_id, connector_id, base_url, sealed_token, token_updated_at, deletes_users)
    values (${tenantId}, ${of.connectorId}, ${of.baseUrl}, ${of.sealedToken}, ${of.tokenUpdatedAt}, ${of.deletesUsers})
    on conflict (tenant_id, connector_id) do update set base_url = excluded.base_url,
      sealed_token = excluded.sealed_token, token_updated_at = excluded.token_updated_at,
      deletes_users = excluded.deletes_users, wait_until = null`
}

export async function findConnection(db: Reads, tenantId: number, connectorId: string): Promise<ScimConnection | null> {
  const [row] = await db<ScimConnection[]>`
    select connector_id as "connectorId", base_url as "baseUrl", sealed_token as "sealedToken",
      token_updated_at as "tokenUpdatedAt", deletes_users as "deletesUsers", wait_until as "waitUntil"
    from scim_connections where tenant_id = ${tenantId} and connector_id = ${connectorId}`
  return row ?? null
}

/** The token is of no use to a connector that was deleted. */
export async function deleteConnection(tx: Tx, tenantId: number, connectorId: string): Promise<void> {
  await tx`delete from scim_connections where tenant_id = ${tenantId} and connector_id = ${connectorId}`
}

/** Whether accounts that a connector is to remove are disabled in the app, and stay. */
export async function isDisablingInstead(db: Reads, tenantId: number, connectorId: string): Promise<boolean> {
  const [row] = await db`
    select 1 from scim_connections
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and not deletes_users`
  return row !== undefined
}

export async function setWait(db: Reads, tenantId: number, connectorId: string, until: Date): Promise<void> {
  await db`
    update scim_connections set wait_until = ${until}
    where tenant_id = ${tenantId} and connector_id = ${connectorId}`
}

export const listTenantsWithSyncs = (db: Reads, at: Date): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`select tenant_id from connectors
      where is_built_in and deleted_at is null and sync_disabled_at is null and next_sync_at <= ${at}
        and tenant_id > ${after}`,
  )

/** When a sync is due, or a provider that asked to be left alone for a while may be sent what waits for it. */
export const findNextScimWork = (db: Reads, before: Date): Promise<Date | null> =>
  findEarliest(
    db,
    db`select next_sync_at as at from connectors
      where is_built_in and deleted_at is null and sync_disabled_at is null and next_sync_at <= ${before}
      union all
      select s.wait_until as at from scim_connections s
      join connector_tasks t on t.tenant_id = s.tenant_id and t.connector_id = s.connector_id
      where t.state = 'queued' and s.wait_until > statement_timestamp() and s.wait_until <= ${before}`,
  )

export const listTenantsWithTasks = (db: Reads): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`select c.tenant_id from connectors c
      join connector_tasks t on t.tenant_id = c.tenant_id and t.connector_id = c.connector_id
      where c.is_built_in and c.deleted_at is null and c.sync_disabled_at is null and t.state = 'queued'
        and c.tenant_id > ${after}`,
  )

export type Waiting = {
  id: string
  displayName: string
  /** A sync is due or queued. */
  isSyncDue: boolean
  /** There is something to do to the app. It may still have to wait for something else. */
  hasTasks: boolean
}

/** What the connectors of a tenant that this server runs have to do. */
export async function listWaiting(db: Reads, tenantId: number, at: Date): Promise<Waiting[]> {
  return db<Waiting[]>`
    select c.connector_id as id, c.display_name as "displayName",
      coalesce(c.next_sync_at <= ${at}, false) or exists (
        select 1 from connector_tasks t
        where t.tenant_id = ${tenantId} and t.connector_id = c.connector_id and t.kind = 'sync' and t.state = 'queued')
        as "isSyncDue",
      not c.provisioning_disabled and coalesce(s.wait_until <= ${at}, true) and exists (
        select 1 from connector_tasks t
        where t.tenant_id = ${tenantId} and t.connector_id = c.connector_id and t.kind <> 'sync' and t.state = 'queued')
        as "hasTasks"
    from connectors c
    join scim_connections s on s.tenant_id = ${tenantId} and s.connector_id = c.connector_id
    where c.tenant_id = ${tenantId} and c.is_built_in and c.deleted_at is null and c.sync_disabled_at is null
    order by c.connector_id limit 10000`
}

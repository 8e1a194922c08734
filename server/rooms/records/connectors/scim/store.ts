import type { Reads } from '#kernel/sql.ts'
import { findEarliest, listTenantsWith } from '#kernel/tenants-with.ts'

export const listTenantsWithSyncs = (db: Reads, at: Date): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`select tenant_id from connectors
      where is_built_in and deleted_at is null and sync_disabled_at is null and next_sync_at <= ${at}
        and tenant_id > ${after}`,
  )

/** When a sync is due, or when a provider that asked to wait may be sent its queued tasks. */
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
  /** There are tasks for the app. They may still have to wait for something else. */
  hasTasks: boolean
}

/** The pending work of a tenant's connectors that this server runs. */
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

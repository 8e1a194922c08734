import type { Reads, Tx } from '#kernel/sql.ts'
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

/** A deleted connector does not need its token. */
export async function deleteConnection(tx: Tx, tenantId: number, connectorId: string): Promise<void> {
  await tx`delete from scim_connections where tenant_id = ${tenantId} and connector_id = ${connectorId}`
}

/** Whether accounts that a connector is to remove are disabled in the app instead. */
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

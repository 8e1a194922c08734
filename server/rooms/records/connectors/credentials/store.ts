import type { Reads } from '#kernel/sql.ts'

/** As it is shown: without the key that verifies it. */
export type ConnectorCredential = {
  id: string
  connectorId: string
  clientId: string
  displayName: string
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
}

export async function findCredentialRow(
  db: Reads,
  tenantId: number,
  connectorId: string,
  id: string,
): Promise<ConnectorCredential | null> {
  const [row] = await db<ConnectorCredential[]>`
    select credential_id as id, connector_id as "connectorId", client_id as "clientId", display_name as "displayName",
      created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"
    from connector_credentials
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and credential_id = ${id}`
  return row ?? null
}

import type { Db, Tx } from '#kernel/sql.ts'
import type { ProvenConnectorCredential } from './connector-clients.ts'

export async function insertConnectorCredential(
  tx: Tx,
  tenantId: number,
  of: ProvenConnectorCredential & { displayName: string; mac: Buffer; lastUsedAt?: Date },
): Promise<void> {
  await tx`
    insert into connector_credentials (tenant_id, credential_id, connector_id, client_id, display_name, public_key,
      secret_sha256, created_at, expires_at, last_used_at, revoked_at, mac)
    values (${tenantId}, ${of.credentialId}, ${of.connectorId}, ${of.clientId}, ${of.displayName}, ${of.publicKey},
      ${of.secretSha256}, ${of.createdAt}, ${of.expiresAt}, ${of.lastUsedAt ?? null}, ${of.revokedAt}, ${of.mac})`
}

/** Those that are not revoked, locked until the transaction ends. */
export async function lockConnectorCredentials(
  tx: Tx,
  tenantId: number,
  connectorId: string,
): Promise<ProvenConnectorCredential[]> {
  return tx<ProvenConnectorCredential[]>`
    select credential_id as "credentialId", connector_id as "connectorId", client_id as "clientId",
      public_key as "publicKey", secret_sha256 as "secretSha256", created_at as "createdAt", expires_at as "expiresAt",
      revoked_at as "revokedAt"
    from connector_credentials
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and revoked_at is null
    order by credential_id limit 1000 for no key update`
}

export async function revokeConnectorCredential(
  tx: Tx,
  tenantId: number,
  { credentialId, at, mac }: { credentialId: string; at: Date; mac: Buffer },
): Promise<void> {
  await tx`
    update connector_credentials set revoked_at = ${at}, mac = ${mac}
    where tenant_id = ${tenantId} and credential_id = ${credentialId}`
}

export async function noteConnectorUse(db: Db, tenantId: number, credentialId: string, at: Date): Promise<void> {
  await db`
    update connector_credentials set last_used_at = ${at}
    where tenant_id = ${tenantId} and credential_id = ${credentialId}`
}

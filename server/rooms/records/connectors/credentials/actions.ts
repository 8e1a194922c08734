import { randomBytes } from 'node:crypto'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { alert, type Cause, record } from '#rooms/foundation/systemlog/index.ts'
import { makeSecret } from '#rooms/identity/credentials/index.ts'
import {
  connectorCredentialMac,
  connectorSuffix,
  insertConnectorCredential,
  lockConnectorCredentials,
  revokeConnectorCredential,
} from '#rooms/identity/tokens/index.ts'

export type NewCredential = { id: string; clientId: string; clientSecret: string; createdAt: Date }

/** A new credential in place of those before it. The secret is in the answer and nowhere else, ever. */
export async function rotateCredential(
  tx: Tx,
  world: World,
  cause: Cause,
  connectorId: string,
): Promise<NewCredential> {
  await revokeCredentials(tx, world, cause, connectorId, null)
  // Connectors read the key behind `v1:` only.
  const secret = makeSecret({ ...world.settings.clientSecret, hasVersion: true })
  const at = world.now()
  const credential = {
    credentialId: world.newId(),
    connectorId,
    // A connector finds the server, with its port, by what stands behind the @.
    clientId: `${randomBytes(10).toString('hex')}@${cause.tenant.domain}${connectorSuffix}`,
    publicKey: secret.publicKey,
    secretSha256: secret.sha256,
    createdAt: at,
    expiresAt: null,
    revokedAt: null,
  }
  const mac = connectorCredentialMac(world.seals, cause.tenant.id, credential)
  await insertConnectorCredential(tx, cause.tenant.id, { ...credential, displayName: '', mac })
  const touched = { type: 'connector', id: connectorId, data: { clientId: credential.clientId } }
  await record(
    tx,
    world,
    cause,
    alert(cause, 'create', `Created the connector credential ${credential.clientId}`, [touched]),
  )
  return { id: credential.credentialId, clientId: credential.clientId, clientSecret: secret.text, createdAt: at }
}

/** Revokes the credentials of a connector, or one of them. Told is how many. */
export async function revokeCredentials(
  tx: Tx,
  world: World,
  cause: Cause,
  connectorId: string,
  only: string | null,
): Promise<number> {
  const at = world.now()
  const all = await lockConnectorCredentials(tx, cause.tenant.id, connectorId)
  const ending = all.filter(({ credentialId }) => only === null || credentialId === only)
  for (const credential of ending) {
    const mac = connectorCredentialMac(world.seals, cause.tenant.id, { ...credential, revokedAt: at })
    await revokeConnectorCredential(tx, cause.tenant.id, { credentialId: credential.credentialId, at, mac })
    const touched = { type: 'connector', id: connectorId, data: { clientId: credential.clientId } }
    await record(
      tx,
      world,
      cause,
      alert(cause, 'delete', `Revoked the connector credential ${credential.clientId}`, [touched]),
    )
  }
  return ending.length
}

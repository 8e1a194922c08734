import { randomBytes } from 'node:crypto'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { alert, type Cause, type CauseBy, record } from '#rooms/foundation/systemlog/index.ts'
import { makeSecret } from '#rooms/identity/credentials/index.ts'
import {
  connectorCredentialMac,
  connectorSuffix,
  insertConnectorCredential,
  lockConnectorCredentials,
  revokeConnectorCredential,
} from '#rooms/identity/tokens/index.ts'
import { lockConnector } from '../tasks/store.ts'

export type NewCredential = { id: string; clientId: string; clientSecret: string; createdAt: Date }

/** Replaces the previous credentials by a new one. Its secret is in the response, and is never available again. */
export async function rotateCredential(
  tx: Tx,
  world: World,
  cause: CauseBy<'connectors.rotate-credential' | 'operator'>,
  connectorId: string,
): Promise<NewCredential> {
  await revokeCredentials(tx, world, cause, connectorId, null)
  // Connectors only read the key after `v1:`.
  const secret = makeSecret({ ...world.settings.clientSecret, hasVersion: true })
  const at = world.now()
  const credential = {
    credentialId: world.newId(),
    connectorId,
    // A connector finds the server, with its port, in the part after the @.
    clientId: `${randomBytes(10).toString('hex')}@${cause.tenant.domain}${connectorSuffix}`,
    publicKey: secret.publicKey,
    secretSha256: secret.sha256,
    createdAt: at,
    expiresAt: null,
    revokedAt: null,
  }
  const mac = connectorCredentialMac(world.seals, cause.tenant.id, credential)
  await insertConnectorCredential(tx, cause.tenant.id, { ...credential, displayName: '', mac })
  const name = await nameOf(tx, cause, connectorId)
  const touched = { type: 'connector', id: connectorId, name, data: { clientId: credential.clientId } }
  await record(tx, world, cause, alert(cause, 'create', `Created a credential of the connector ${name}`, [touched]))
  return { id: credential.credentialId, clientId: credential.clientId, clientSecret: secret.text, createdAt: at }
}

const nameOf = async (tx: Tx, { tenant }: Cause, connectorId: string): Promise<string> =>
  (await lockConnector(tx, tenant.id, connectorId))?.displayName || connectorId

/** Revokes the credentials of a connector, or one of them. Returns how many. */
export async function revokeCredentials(
  tx: Tx,
  world: World,
  cause: CauseBy<'connectors.change' | 'connectors.rotate-credential' | 'operator'>,
  connectorId: string,
  only: string | null,
): Promise<number> {
  const at = world.now()
  const all = await lockConnectorCredentials(tx, cause.tenant.id, connectorId)
  const name = all.length === 0 ? '' : await nameOf(tx, cause, connectorId)
  const ending = all.filter(({ credentialId }) => only === null || credentialId === only)
  for (const credential of ending) {
    const mac = connectorCredentialMac(world.seals, cause.tenant.id, { ...credential, revokedAt: at })
    await revokeConnectorCredential(tx, cause.tenant.id, { credentialId: credential.credentialId, at, mac })
    const touched = { type: 'connector', id: connectorId, name, data: { clientId: credential.clientId } }
    await record(tx, world, cause, alert(cause, 'delete', `Revoked a credential of the connector ${name}`, [touched]))
  }
  return ending.length
}

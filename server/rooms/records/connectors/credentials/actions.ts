import { randomBytes } from 'node:crypto'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { alert, type Cause, type CauseBy, change, record } from '#rooms/foundation/systemlog/index.ts'
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
  const made = await insertNew(tx, world, cause, connectorId)
  const name = await nameOf(tx, cause, connectorId)
  const touched = { type: 'connector', id: connectorId, name, data: { clientId: made.clientId } }
  await record(tx, world, cause, alert(cause, 'create', `Created a credential of the connector ${name}`, [touched]))
  return made
}

/**
 * For a program that this server starts, which is the only one that gets it: it is stored nowhere, and the one of the program
 * before ends with it.
 */
export async function issueForProgram(
  tx: Tx,
  world: World,
  cause: CauseBy<'connector'>,
  connectorId: string,
  program: string,
): Promise<NewCredential> {
  const at = world.now()
  const name = await nameOf(tx, cause, connectorId)
  for (const credential of await lockConnectorCredentials(tx, cause.tenant.id, connectorId))
    await endCredential(tx, world, cause, credential, at)
  const made = await insertNew(tx, world, cause, connectorId)
  const touched = { type: 'connector', id: connectorId, name, data: { clientId: made.clientId, program } }
  await record(
    tx,
    world,
    cause,
    change(cause, 'update', `Started the program ${program} of the connector ${name}`, [touched]),
  )
  return made
}

async function insertNew(tx: Tx, world: World, cause: Cause, connectorId: string): Promise<NewCredential> {
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
  return { id: credential.credentialId, clientId: credential.clientId, clientSecret: secret.text, createdAt: at }
}

const nameOf = async (tx: Tx, { tenant }: Cause, connectorId: string): Promise<string> =>
  (await lockConnector(tx, tenant.id, connectorId))?.displayName || connectorId

type Locked = Awaited<ReturnType<typeof lockConnectorCredentials>>[number]

async function endCredential(tx: Tx, world: World, { tenant }: Cause, credential: Locked, at: Date): Promise<void> {
  const mac = connectorCredentialMac(world.seals, tenant.id, { ...credential, revokedAt: at })
  await revokeConnectorCredential(tx, tenant.id, { credentialId: credential.credentialId, at, mac })
}

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
    await endCredential(tx, world, cause, credential, at)
    const touched = { type: 'connector', id: connectorId, name, data: { clientId: credential.clientId } }
    await record(tx, world, cause, alert(cause, 'delete', `Revoked a credential of the connector ${name}`, [touched]))
  }
  return ending.length
}

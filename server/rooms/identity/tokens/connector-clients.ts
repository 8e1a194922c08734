import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { Refusal } from '#kernel/refusals.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { isSameMac, type Seals } from '#kernel/seals.ts'
import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { isSetAside, reportForged } from '#rooms/foundation/systemlog/index.ts'
import { findSourceLimits, sourceCheck } from '#rooms/identity/sources/index.ts'
import { readToken } from './access-token.ts'
import { bearerToken } from './authenticate.ts'

/**
 * Connectors are clients of the token endpoint too. They are not users and have no permissions: with their tokens they
 * can use the service for connectors, and nothing else. Their room imports this one; their credentials are read here.
 */
export type ConnectorClient = {
  credentialId: string
  clientId: string
  connectorId: string
  appId: string
  displayName: string
}

type Kept = ConnectorClient & {
  publicKey: Buffer
  secretSha256: Buffer
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  mac: Buffer
  isDeleted: boolean
}

export const connectorSuffix = '/connector'
export const isConnectorClient = (clientId: string): boolean => clientId.endsWith(connectorSuffix)

export type ProvenConnectorCredential = Omit<Kept, 'appId' | 'displayName' | 'mac' | 'isDeleted'>

const msOf = (at: Date | null): number | null => at && at.getTime()

/** Everything that decides whether it is accepted, and for which connector. */
export const connectorCredentialMac = (seals: Seals, tenantId: number, of: ProvenConnectorCredential): Buffer =>
  seals.mac(
    'connector credential',
    String(tenantId),
    of.credentialId,
    of.connectorId,
    of.clientId,
    of.publicKey,
    of.secretSha256,
    JSON.stringify([of.createdAt, of.expiresAt, of.revokedAt].map(msOf)),
  )

async function findKept(db: Reads, tenantId: number, clientId: string): Promise<Kept | null> {
  const [row] = await db<Kept[]>`
    select k.credential_id as "credentialId", k.client_id as "clientId", k.connector_id as "connectorId",
      c.app_id as "appId", c.display_name as "displayName", k.public_key as "publicKey",
      k.secret_sha256 as "secretSha256", k.created_at as "createdAt", k.expires_at as "expiresAt",
      k.revoked_at as "revokedAt", k.mac, c.deleted_at is not null or a.deleted_at is not null as "isDeleted"
    from connector_credentials k
    join connectors c on c.tenant_id = ${tenantId} and c.connector_id = k.connector_id
    join apps a on a.tenant_id = ${tenantId} and a.app_id = c.app_id
    where k.tenant_id = ${tenantId} and k.client_id = ${clientId}`
  return row ?? null
}

/** What a proof is checked with; for an unknown client, something that nothing passes. */
export type ConnectorLock = { publicKey: KeyObject; secretSha256: Buffer }
const nobodys: ConnectorLock = { publicKey: generateKeyPairSync('ed25519').publicKey, secretSha256: Buffer.alloc(32) }

/** A connector's client that is accepted now, or null, and the lock for its proof. */
export async function findConnectorClient(
  world: World,
  tenantId: number,
  clientId: string,
): Promise<{ client: ConnectorClient | null; lock: ConnectorLock }> {
  const proven = await findProven(world, tenantId, clientId)
  if (!proven) return { client: null, lock: nobodys }
  const publicKey = createPublicKey({ key: proven.kept.publicKey, type: 'spki', format: 'der' })
  return { client: proven.client, lock: { publicKey, secretSha256: proven.kept.secretSha256 } }
}

/** The stored row of a client, if this program wrote it; and the client, if it is accepted now. */
async function findProven(
  world: World,
  tenantId: number,
  clientId: string,
): Promise<{ kept: Kept; client: ConnectorClient | null } | null> {
  const kept = await findKept(world.db, tenantId, clientId)
  if (!kept) return null
  if (!isSameMac(kept.mac, connectorCredentialMac(world.seals, tenantId, kept))) {
    await reportForged(world, tenantId, { type: 'connector credential', id: kept.credentialId })
    return null
  }
  const isOver = kept.revokedAt !== null || (kept.expiresAt !== null && kept.expiresAt <= world.now())
  // One that a restored backup brought back is not accepted: it may have been revoked since. Rotation creates another.
  const isBack = isSetAside(world, tenantId, { id: kept.credentialId, createdAt: kept.createdAt, approvalMac: null })
  const { credentialId, connectorId, appId, displayName } = kept
  const client = isOver || isBack || kept.isDeleted ? null : { credentialId, clientId, connectorId, appId, displayName }
  return { kept, client }
}

/** A client with its token. A process gets its own when it starts, and another before that one expires. */
export type ConnectorCaller = ConnectorClient & { tokenSince: Date }

/** The connector that an Authorization header belongs to, at present. */
export async function authenticateConnector(
  world: World,
  asked: { tenant: Tenancy; sourceAddress: string; authorization: string | undefined },
): Promise<ConnectorCaller> {
  const { clientId, notBeforeMs } = await readToken(world, asked.tenant, bearerToken(asked.authorization))
  if (!isConnectorClient(clientId))
    throw new Refusal('TOKEN_INVALID', 'The access token does not belong to a connector.')
  const client = await requireConnectorClient(world, asked.tenant.id, clientId)
  if (!(await mayConnectFrom(world, asked.tenant.id, asked.sourceAddress)))
    throw new Refusal('SOURCE_ADDRESS_DENIED', connectorDenied)
  return { ...client, tokenSince: new Date(notBeforeMs) }
}

export const connectorDenied = 'The organization does not allow connectors from this address.'

/** Whether the organization allows connectors from an address. */
export const mayConnectFrom = async (world: World, tenantId: number, address: string): Promise<boolean> =>
  sourceCheck((await findSourceLimits(world, world.db, tenantId)).connectorSource)(address)

/** The client, if it is still accepted: long work checks it again. */
export async function requireConnectorClient(
  world: World,
  tenantId: number,
  clientId: string,
): Promise<ConnectorClient> {
  // Without its lock: a key takes longer to read than the rest, and polls of connectors prove nothing with it.
  const client = (await findProven(world, tenantId, clientId))?.client
  if (!client)
    throw new Refusal('CREDENTIAL_REVOKED', 'The credential of the connector was revoked or has expired; rotate it.')
  return client
}

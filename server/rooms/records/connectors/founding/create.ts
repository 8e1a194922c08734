import { randomBytes } from 'node:crypto'
import { idMaker } from '#kernel/ids.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { makeSecret } from '#rooms/identity/credentials/index.ts'
import { connectorCredentialMac, connectorSuffix, insertConnectorCredential } from '#rooms/identity/tokens/index.ts'
import { type Import, insertImport } from '#rooms/records/imports/index.ts'
import type { Reported } from '../overview/overview.ts'
import { insertPast, type PastSync } from './store.ts'

/** A connector with a history, and its syncs in order of time. */
export type ConnectorStory = {
  appId: string
  displayName: string
  description: string
  catalogId: string
  agent: string
  hostId: string
  reported: Reported
  createdAt: Date
  lastSeenAt: Date
  syncs: readonly SyncStory[]
}

export type SyncStory = {
  at: Date
  seconds: number
  byteCount: number
  /** What it changed, or why it failed. */
  came: Import['counts'] | string
}

/**
 * Connectors that a tenant has from its first day. Nobody has the secrets of their credentials: to run one, rotate its
 * secret.
 */
export async function foundConnectors(
  tx: Tx,
  world: World,
  tenant: Tenancy,
  stories: readonly ConnectorStory[],
): Promise<void> {
  for (const story of stories) {
    const idAt = (at: Date): string => idMaker(() => at.getTime())()
    const connectorId = idAt(story.createdAt)
    const syncs: PastSync[] = []
    for (const { at, seconds, byteCount, came } of story.syncs) {
      const endedAt = new Date(at.getTime() + seconds * 1000)
      const sync = { id: idAt(at), at, endedAt, byteCount, importId: '', error: '' }
      if (typeof came === 'string') {
        syncs.push({ ...sync, byteCount: 0, error: came })
        continue
      }
      const importId = idAt(endedAt)
      await insertImport(tx, tenant.id, importOf(story, { id: importId, counts: came, byteCount, at, endedAt }))
      syncs.push({ ...sync, importId })
    }
    await insertPast(tx, tenant.id, { ...story, id: connectorId }, syncs)
    await foundCredential(tx, world, tenant, { ...story, connectorId, credentialId: idAt(story.createdAt) })
  }
}

type Came = { id: string; counts: Import['counts']; byteCount: number; at: Date; endedAt: Date }

const importOf = ({ appId, displayName }: ConnectorStory, { id, counts, byteCount, at, endedAt }: Came): Import => ({
  id,
  counts,
  byteCount,
  appId,
  startedAt: at,
  finishedAt: endedAt,
  format: 'c1z',
  isFull: true,
  isForced: false,
  userId: '',
  userName: `Connector ${displayName}`,
  ignoredFields: [],
  notes: [],
  lineCount: counts.reduce((sum, { added, changed, unchanged }) => sum + added + changed + unchanged, 0),
})

type OfCredential = Pick<ConnectorStory, 'createdAt' | 'lastSeenAt'> & { connectorId: string; credentialId: string }

async function foundCredential(
  tx: Tx,
  world: World,
  tenant: Tenancy,
  { createdAt, lastSeenAt, connectorId, credentialId }: OfCredential,
): Promise<void> {
  const secret = makeSecret({ ...world.settings.clientSecret, hasVersion: true })
  const credential = {
    credentialId,
    connectorId,
    createdAt,
    expiresAt: null,
    revokedAt: null,
    clientId: `${randomBytes(10).toString('hex')}@${tenant.domain}${connectorSuffix}`,
    publicKey: secret.publicKey,
    secretSha256: secret.sha256,
  }
  const mac = connectorCredentialMac(world.seals, tenant.id, credential)
  await insertConnectorCredential(tx, tenant.id, { ...credential, displayName: '', mac, lastUsedAt: lastSeenAt })
}

import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type CauseBy, change, record } from '#rooms/foundation/systemlog/index.ts'
import type { Config } from '../catalog/config.ts'
import type { Connector } from '../connector.ts'
import { connectorNotFound } from '../refuse.ts'
import type { ConnectorRef } from './ref.ts'
import { findConnector, insertConnector } from './store.ts'

export type WantedConnector = {
  appId: string
  displayName: string
  description: string
  catalogId: string
  /** Whether this server runs it; by default a separate program does. */
  isBuiltIn?: boolean
  config?: Config | null
}

/** Creates a connector of an app. It syncs at its first poll. */
export async function createConnector(
  tx: Tx,
  world: World,
  cause: CauseBy<'connectors.change' | 'operator'>,
  wanted: WantedConnector,
): Promise<Connector> {
  const id = world.newId()
  await insertConnector(tx, cause.tenant.id, {
    id,
    config: null,
    isBuiltIn: false,
    ...wanted,
    createdAt: world.now(),
  })
  const touched = { type: 'connector', id, name: wanted.displayName, data: { appId: wanted.appId } }
  await record(tx, world, cause, change(cause, 'create', `Created the connector ${wanted.displayName}`, [touched]))
  return (await findConnector(tx, cause.tenant.id, wanted.appId, id)) as Connector
}

export async function getConnector(db: Reads, call: Call, { appId, connectorId }: ConnectorRef): Promise<Connector> {
  const connector = await findConnector(db, call.tenant.id, appId, connectorId)
  if (!connector) throw connectorNotFound(connectorId)
  return connector
}

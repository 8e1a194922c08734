import { connect } from 'node:http2'
import { openLog } from '#kernel/log.ts'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { listTenants } from '#rooms/foundation/tenants/index.ts'
import { issueToken } from '#rooms/identity/tokens/access-token.ts'
import { insertApps } from '#rooms/records/apps/index.ts'
import { createConnector, rotateCredential } from '#rooms/records/connectors/index.ts'
import { dataSettings, readSettings } from '#server/settings/config.ts'
import { openWorld } from '#server/start/world.ts'
import { type Served, startBailiwick } from './processes.ts'

/** A server with HTTPS and connectors of an app each that have nothing to do. */
export type Connectors = Served & {
  dataDir: string
  /** A token of each. */
  tokens: readonly string[]
  /** As if none of them had been there for minutes. */
  forgetSeen(): Promise<void>
}

export async function openConnectors(count: number): Promise<Connectors> {
  const served = await startBailiwick('--tls-self-signed')
  const config = readSettings(dataSettings, { 'data-dir': served.dataDir }, {})
  const { world, close } = await openWorld(config, 'command', openLog('silent'))
  const [tenant] = await listTenants(world.db)
  if (!tenant) throw new Error('the server has no tenant')
  const cause = operatorCause(tenant, 'bench')
  const tokens: string[] = []
  for (let n = 0; n < count; n++) {
    const appId = world.newId()
    const credential = await transact(world.db, async (tx) => {
      await insertApps(tx, tenant.id, [{ id: appId, displayName: `App ${n}` }], world.now())
      const wanted = { appId, displayName: `Connector ${n}`, description: '', catalogId: '' }
      const connector = await createConnector(tx, world, cause, wanted)
      return { ...(await rotateCredential(tx, world, cause, connector.id)), connectorId: connector.id }
    })
    const { clientId, connectorId } = credential
    // As the token endpoint issues it; how long that takes is another claim (tokens-by-assertion).
    tokens.push(await (await issueToken(world, tenant, { clientId, user: { id: connectorId } })).token)
  }
  // Their first sync is not due yet.
  await world.db`update connectors set next_sync_at = now() + interval '1 day' where tenant_id = ${tenant.id}`
  // As autovacuum does within minutes: without statistics PostgreSQL joins every connector with every credential, 13 ms a poll.
  await world.db`analyze`
  return {
    ...served,
    tokens,
    async forgetSeen() {
      await world.db`
        update connectors set last_seen_at = now() - interval '1 hour' where tenant_id = ${tenant.id}`
    },
    async stop() {
      await close()
      await served.stop()
    },
  }
}

/** A poll as a connector makes it: a TLS connection of its own, one call, one token for many calls. */
export function poll(port: number, ca: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = connect(`https://localhost:${port}`, { ca }).on('error', reject)
    const stream = session.request({
      ':method': 'POST',
      ':path': '/c1.connectorapi.baton.v1.BatonService/GetTask',
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: `Bearer ${token}`,
      'user-agent': 'bench baton-sdk/0.3.9 grpc-go/1.70.0',
    })
    // GetTaskRequest{host_id=1: "host"}
    const message = Buffer.from([0x0a, 4, ...Buffer.from('host')])
    stream.on('error', reject).end(Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]))
    let status = ''
    stream.on('trailers', (trailers: Record<string, unknown>) => (status = String(trailers['grpc-status'])))
    stream.on('data', () => {})
    stream.on('end', () => {
      session.close()
      if (status === '0') resolve()
      else reject(new Error(`a poll ended with status ${status || 'unknown'}`))
    })
  })
}

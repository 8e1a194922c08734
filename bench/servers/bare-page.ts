import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openDatabase } from '#database/open.ts'
import { listEntitlements } from '../../server/rooms/records/apps/entitlements/store.ts'
import { entitlementOnWire } from '../../server/rooms/records/apps/entitlements/view.ts'

// The floor of a page: the same SQL through the same driver, the same JSON. No token, no tenant by host, no page token.
const { dataDir, tenantId, appId } = JSON.parse(process.argv[2] as string) as {
  dataDir: string
  tenantId: number
  appId: string
}
const { db } = await openDatabase({ from: { dataDir, purpose: 'command' } })
async function answer(response: ServerResponse): Promise<void> {
  const rows = await listEntitlements(db, tenantId, appId, { after: null, limit: 26 })
  const list = rows.slice(0, 25).map((row) => ({ appEntitlement: entitlementOnWire(row) }))
  const body = JSON.stringify({ list, nextPageToken: 'more' })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
const server = createServer((_request, response) => void answer(response))
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))

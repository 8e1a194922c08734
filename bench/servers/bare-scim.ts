import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openDatabase } from '#database/open.ts'
import { lockUsers } from '#rooms/identity/users/index.ts'
import { updatePerson } from '../../server/rooms/identity/users/store/write-one.ts'
import {
  listGroupsOf,
  lockDirectoryUser,
  updateDirectoryUser,
} from '../../server/rooms/records/directories/scim/users/store.ts'

// The floor of an update by SCIM: its statements in one transaction, with an event as long as the real one, and a reply as long.
const { dataDir, appId, ids, reply } = JSON.parse(process.argv[2] as string) as {
  dataDir: string
  appId: string
  ids: readonly string[]
  reply: string
}
const { db } = await openDatabase({ from: { dataDir, purpose: 'command' } })
const [tenant] = await db<{ id: number }[]>`select tenant_id as id from tenants`
const tenantId = tenant?.id as number
// Not among the real ones, which are a chain.
await db.unsafe('create table if not exists bench_events (like systemlog_events including all)')
const [like] = await db<{ event: string; trail: unknown; mac: Buffer }[]>`
  select event, mac from systemlog_events where tenant_id = ${tenantId} order by event_id desc limit 1`
let n = 0

async function answer(response: ServerResponse): Promise<void> {
  const mine = n++
  const id = ids[mine % ids.length] as string
  const at = new Date()
  await db.begin(async (tx) => {
    const row = await lockDirectoryUser(tx, tenantId, appId, id)
    if (!row) throw new Error(`there is no user ${id}`)
    await lockUsers(tx, tenantId, [row.userId], at)
    const title = `Bare ${mine}`
    await updatePerson(tx, tenantId, row.userId, { job_title: title, updated_at: at })
    const resource = { ...row.resource, title }
    const after = { ...row, resource, version: row.version + 1, updatedAt: at }
    await updateDirectoryUser(tx, tenantId, appId, after)
    await tx`
      insert into bench_events (tenant_id, event_id, occurred_at, event, trail, mac)
      select tenant_id, ${String(mine).padStart(27, '0')}, ${at}, ${like?.event ?? ''}, trail, mac
      from systemlog_events where tenant_id = ${tenantId} order by event_id limit 1`
  })
  await listGroupsOf(db, tenantId, appId, [id])
  response.writeHead(200, { 'content-type': 'application/scim+json', 'content-length': Buffer.byteLength(reply) })
  response.end(reply)
}
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => void answer(response))
})
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openDatabase } from '#database/open.ts'
import { idMaker } from '#kernel/ids.ts'
import { findTask, insertTask, insertTaskEvents, listTaskEvents } from '../../server/rooms/governance/tasks/store.ts'

// The floor of a change of a task: one transaction of two inserts, a task and its events, and a reply as long as the real one.
const { dataDir, tenantId, taskId, reply } = JSON.parse(process.argv[2] as string) as {
  dataDir: string
  tenantId: number
  /** The task of which copies are written. */
  taskId: string
  reply: string
}
const { db } = await openDatabase({ from: { dataDir, purpose: 'command' } })
const newId = idMaker(Date.now)
const like = await findTask(db, tenantId, taskId)
if (!like) throw new Error(`there is no task ${taskId}`)
const events = await listTaskEvents(db, tenantId, taskId)
// Beyond those that tasks have.
let number = Date.now()

async function answer(response: ServerResponse): Promise<void> {
  const id = newId()
  await db.begin(async (tx) => {
    await insertTask(tx, tenantId, { ...like, id, number: number++, subjectUserId: newId() } as typeof like & object)
    await insertTaskEvents(
      tx,
      tenantId,
      id,
      1,
      events.map((event) => ({ ...event, id: newId() })),
    )
  })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(reply) })
  response.end(reply)
}
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => void answer(response))
})
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))

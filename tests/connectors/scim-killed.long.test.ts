import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Access, eventually, getToken, openAccess } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { startChild } from '../tasks/start-child.ts'
import { type ScimApp, startScimApp } from './scim-app.ts'
import { createScim, lapse, makePerson } from './scim-scene.ts'

const flags = { 'outgoing-http': true, 'outgoing-allow': ['127.0.0.1'] }
let server: TestServer
let access: Access
let app: ScimApp
beforeAll(async () => {
  server = await startServer({ flags: { empty: true, ...flags } })
  access = await openAccess(server)
  app = await startScimApp()
})
afterAll(async () => {
  await access.close()
  await server.stop()
  await app.close()
})

test('kill -9 while servers read an app and give access in it: everybody has it in the end', async () => {
  const people = Array.from({ length: 12 }, (_, i) => `p${i}@killed.example`)
  const userIds = await Promise.all(people.map((email) => makePerson(access, email)))
  for (const email of people) app.addUser(email)
  app.addGroup('Staff')
  const scim = await createScim(server, access, await getToken(server, await access.makeCaller(['system:owner'])), app)
  await scim.synced()
  // Slow enough to be killed in the middle; half of what is done is not answered in time.
  app.bend = ({ method }, response) => {
    if (method === 'GET') return null
    const { end } = response
    response.end = ((...all: Parameters<typeof end>) => {
      setTimeout(() => end.apply(response, all), 80)
      return response
    }) as typeof end
    return null
  }
  const ids = await Promise.all(userIds.map((userId) => scim.request('grant', 'Staff', userId)))
  for (let round = 0; round < 3; round++) {
    const child = await startChild(server, flags)
    await server.db`update connectors set next_sync_at = now() where connector_id = ${scim.connectorId}`
    await sleep(300 + Math.random() * 700)
    await child.kill()
  }
  app.bend = null
  await lapse(access, scim.connectorId)
  // Jobs of the killed are taken up when their leases end; here, at once.
  await server.db`update jobs set due_at = now() where due_at is not null`
  const isOver = async (): Promise<boolean> => (await Promise.all(ids.map((id) => scim.isClosed(id)))).every(Boolean)
  expect(await eventually(isOver), JSON.stringify(await scim.tasks())).toBe(true)
  expect(app.members('Staff')).toEqual(people.toSorted())
})

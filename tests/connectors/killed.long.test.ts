import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endLapsedLeases } from '#rooms/records/connectors/index.ts'
import { type Access, eventually, openAccess } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { startChild } from '../tasks/start-child.ts'
import { shareApp } from './app.ts'
import { callBaton, tokenOf } from './connector.ts'

let server: TestServer
let access: Access
beforeAll(async () => {
  server = await startServer({ flags: { empty: true, 'tls-self-signed': true } })
  access = await openAccess(server)
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

test('kill -9 while a connector works: each request is granted in the app once, and all of them are', async () => {
  const { token } = await tokenOf(server, await access.makeCaller(['system:owner']))
  const people = Array.from({ length: 24 }, (_, i) => `p${i}`)
  const app = (await shareApp(server, access, token, { people })).view()
  const ids = await Promise.all(people.map((name) => app.request('grant', name, 'staff')))
  const { token: ofConnector } = await tokenOf(server, app)
  for (let round = 0; round < 6; round++) {
    const child = await startChild(server, { 'tls-self-signed': true })
    const baton = callBaton({ ...server, url: child.url }, ofConnector)
    const work = async (hostId: string): Promise<void> => {
      for (let i = 0; i < 6; i++) {
        const { task } = await baton.getTask({ hostId })
        if (!task || task.taskType.case !== 'grant') return
        app.carryOut(task)
        await baton.finishTask({ hostId, taskId: task.id, finalState: { case: 'success', value: {} } })
      }
    }
    // What is not answered is lost: the connector does not try again.
    const hosts = ['a', 'b', 'c'].map((hostId) => work(hostId).catch(() => {}))
    await sleep(50 + Math.random() * 300)
    await child.kill()
    await Promise.all(hosts)
  }
  await server.db`update connector_tasks set lease_until = now() - interval '1 second' where state = 'leased'`
  await endLapsedLeases(access.world)
  await app.sync()
  await app.workAll()
  const isOver = async () =>
    (await server.db`select 1 from tasks where task_id = any(${ids}::text[]) and is_open`).length === 0
  expect(await eventually(isOver)).toBe(true)
  await app.sync()
  expect([...app.members].toSorted()).toEqual(people.map((name) => `${name}/staff`).toSorted())
  expect(app.calls.toSorted()).toEqual(people.map((name) => `grant ${name}/staff`).toSorted())
  for (const name of people) expect(await app.holds(name, 'staff')).toEqual(['import', 'request'])
})

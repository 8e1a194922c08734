import assert from 'node:assert/strict'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { carryToConnectors, endLapsedLeases } from '#rooms/records/connectors/index.ts'
import type { Task } from '../../server/rooms/records/baton/protocol/generated/c1/connectorapi/baton/v1/baton_pb.js'
import { type Access, openAccess } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { type SharedApp, shareApp, type TestApp } from './app.ts'
import { tokenOf } from './connector.ts'

const runs = 30
let server: TestServer
let access: Access
let shared: SharedApp

beforeAll(async () => {
  server = await startServer({ flags: { empty: true, 'tls-self-signed': true } })
  access = await openAccess(server)
  const { token } = await tokenOf(server, await access.makeCaller(['system:owner']))
  shared = await shareApp(server, access, token, { views: runs, people: ['ada'] })
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const steps = [
  'give',
  'take',
  'request',
  'revoke',
  'carry',
  'fetch',
  'fetch',
  'report',
  'report',
  'report twice',
  'die done',
  'die undone',
  'tell late',
  'sync',
  'begin sync',
  'end sync',
] as const
type Step = { is: (typeof steps)[number]; group: 'staff' | 'admins' }

/** Whatever people, rules, syncs and a connector that dies do, in whichever order. */
async function play(app: TestApp, all: readonly Step[]): Promise<void> {
  const fetched: Task[] = []
  const lost: Task[] = []
  let stale: { id: string; file: Buffer } | null = null
  const at = async (group: string) => `/api/v1/apps/${app.appId}/entitlements/${await app.entitlement(group)}`
  const lapse = async (task: Task): Promise<void> => {
    await server.db`update connector_tasks set lease_until = now() - interval '1 second' where task_id = ${task.id}`
    await endLapsedLeases(access.world)
  }
  const endStale = async (): Promise<void> => {
    if (stale) await app.endSync(stale.id, stale.file)
    stale = null
  }
  for (const { is, group } of all) {
    if (is === 'give') await app.post(`${await at(group)}/add-manual-user`, { userIds: [app.userIds['ada']] })
    if (is === 'take') {
      const body = { appUserId: await app.account('ada') }
      await app.ask(`${await at(group)}/remove-membership`, { method: 'DELETE', body })
    }
    // One that is open already is refused, and one for what is not held.
    if (is === 'request' || is === 'revoke') {
      const body = { appId: app.appId, appEntitlementId: await app.entitlement(group) }
      const path = is === 'request' ? 'grant' : 'revoke'
      const reply = await app.post(`/api/v1/task/${path}`, { ...body, identityUserId: app.userIds['ada'] })
      assert.ok(reply.status < 500, reply.text)
    }
    if (is === 'carry') await carryToConnectors(access.world)
    if (is === 'fetch') {
      const task = stale ? null : await app.next()
      if (task) fetched.push(task)
    }
    const task = is === 'report' || is.startsWith('report') || is.startsWith('die') ? fetched.shift() : undefined
    if (task && is !== 'die undone') app.carryOut(task)
    if (task && is.startsWith('report')) assert.equal(await app.finish(task), 'ok')
    if (task && is === 'report twice') assert.equal(await app.finish(task), 'ok')
    if (task && is.startsWith('die')) {
      await lapse(task)
      if (is === 'die done') lost.push(task)
    }
    if (is === 'tell late') {
      const late = lost.shift()
      if (late) assert.equal(await app.finish(late), 'ok')
    }
    if (is === 'sync' && !stale) await app.sync()
    if (is === 'begin sync' && !stale) stale = { file: app.file(), id: await app.beginSync() }
    if (is === 'end sync') await endStale()
    // Never two of one person and group with the connector, or of unknown outcome.
    const twice = await server.db`
      select 1 from connector_tasks where app_id = ${app.appId} and kind <> 'sync' and state in ('leased', 'unknown')
      group by account_id, entitlement_id having count(*) > 1`
    expect(twice.length).toBe(0)
  }
  await endStale()
  for (const task of fetched) {
    app.carryOut(task)
    await app.finish(task)
  }
  await settle(app)
}

/** Until nothing is left to do: what a request waits for is taken by a job, and what changed is looked at by the engine. */
async function settle(app: TestApp): Promise<void> {
  let quiet = 0
  while (quiet < 3) {
    await carryToConnectors(access.world)
    const kinds = await app.workAll()
    const [open] = await server.db<{ count: number; unknown: number }[]>`
      select (select count(*) from connector_tasks where app_id = ${app.appId} and kind <> 'sync' and state = 'unknown')
          as unknown,
        (select count(*) from connector_tasks where app_id = ${app.appId} and kind <> 'sync'
          and (is_awaited or state in ('queued', 'leased', 'unknown')))
        + (select count(*) from provisioning_changes where app_id = ${app.appId}) as count`
    quiet = kinds.length === 0 && open?.count === 0 ? quiet + 1 : 0
    // Only a sync tells what became of those. It costs as much as all other steps together.
    if (open?.unknown) await app.sync()
  }
  await app.sync()
}

test('whatever happens in whichever order, the app ends as the records say, and the records as the app', async () => {
  const step = fc.record({ is: fc.constantFrom(...steps), group: fc.constantFrom('staff' as const, 'admins' as const) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 28 }), async (all) => {
      const app = shared.view()
      await play(app, all)
      for (const group of ['staff', 'admins']) {
        const holds = await app.holds('ada', group)
        const isWanted = holds.some((source) => source !== 'import')
        const isInApp = app.members.has(`ada/${group}`)
        expect(holds.includes('import'), `the record of ${group}: ${holds.join()}`).toBe(isInApp)
        const [last] = await server.db<{ state: string; error: string }[]>`
          select state, error from connector_tasks where app_id = ${app.appId} and kind <> 'sync'
            and account_id = ${await app.account('ada')} and entitlement_id = ${await app.entitlement(group)}
            and state <> 'cancelled' order by task_id desc limit 1`
        // Tried twice without an answer, it waits for a person.
        const isGivenUp = last?.state === 'failed'
        expect(isGivenUp || isInApp === isWanted, `${group} in the app: ${isInApp}, held by ${holds.join()}`).toBe(true)
      }
    }),
    { numRuns: runs, endOnFailure: true },
  )
})

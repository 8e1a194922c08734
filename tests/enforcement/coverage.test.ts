import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { insertAccounts } from '#rooms/records/accounts/index.ts'
import { insertApps, insertEntitlements } from '#rooms/records/apps/index.ts'
import { insertGrants } from '#rooms/records/grants/index.ts'
import { openApp, type TestApp } from '../connectors/app.ts'
import { askTls, tokenOf } from '../connectors/connector.ts'
import { type Access, type Json, openAccess, type Reply } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
let access: Access
let token: string
beforeAll(async () => {
  server = await startServer({ flags: { empty: true, 'tls-self-signed': true } })
  access = await openAccess(server)
  token = (await tokenOf(server, await access.makeCaller(['system:owner']))).token
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const get = (by = token): Promise<Reply> => askTls(server, '/api/v1/enforcement/coverage', { token: by })
const coverage = async (): Promise<Json & { next: Json[] }> => {
  const reply = await get()
  expect(reply.status, reply.text).toBe(200)
  return reply.json as Json & { next: Json[] }
}

type Holding = { appId: string; id: string; accounts: readonly { id: string; appId: string }[] }
/** An entitlement that some accounts have, of an app of its own unless one is given. */
async function held(name: string, count: number, ofApp?: string): Promise<Holding> {
  const { world, tenant } = access
  const [appId, id] = [ofApp ?? world.newId(), world.newId()]
  const accounts = Array.from({ length: count }, () => ({ id: world.newId(), appId, displayName: 'Someone' }))
  await transact(world.db, async (tx) => {
    if (!ofApp) await insertApps(tx, tenant.id, [{ id: appId, displayName: name }], world.now())
    await insertEntitlements(tx, tenant.id, [{ id, appId, displayName: name }], world.now())
    await insertAccounts(tx, tenant.id, accounts, world.now())
  })
  await give({ appId, id, accounts }, 'manual')
  return { appId, id, accounts }
}
const give = ({ appId, id, accounts }: Holding, source: 'manual' | 'import'): Promise<unknown> => {
  const { world, tenant } = access
  const grants = accounts.map((each) => ({ id: world.newId(), appId, entitlementId: id, accountId: each.id, source }))
  return transact(world.db, (tx) => insertGrants(tx, operatorCause(tenant, 'test'), grants, world.now()))
}
async function set({ appId, id }: Holding, policy: Json, field = 'provisionerPolicy'): Promise<void> {
  const body = { entitlement: { [field]: policy }, updateMask: field }
  const path = `/api/v1/apps/${appId}/entitlements/${id}`
  const reply = await askTls(server, path, { method: 'POST', token, body })
  expect(reply.status, reply.text).toBe(200)
}

test('coverage counts what apps confirm, what people are asked, and what nobody does: each account once, and by the worse of both', async () => {
  expect(await coverage()).toEqual({
    percent: 0,
    grants: 0,
    confirmed: 0,
    unreliable: 0,
    people: 0,
    nobody: 0,
    next: [],
  })
  const app: TestApp = await openApp(server, access, token)
  for (const name of ['ada/staff', 'bo/staff', 'ada/admins']) app.members.add(name)
  await app.sync()
  expect(await coverage()).toMatchObject({ percent: 100, grants: 3, confirmed: 3, next: [] })

  const paper = await held('Paper', 5)
  // The second reason of the same access does not count again.
  await give(paper, 'import')
  expect(await coverage()).toMatchObject({
    percent: 37,
    grants: 8,
    confirmed: 3,
    nobody: 5,
    next: [
      {
        appId: paper.appId,
        appDisplayName: 'Paper',
        grants: 5,
        state: 'ENFORCEMENT_STATE_RECORDS_ONLY',
        whatToDo: ['COVERAGE_REMEDY_CONNECT_APP', 'COVERAGE_REMEDY_NAME_PEOPLE'],
      },
    ],
  })
  const desk = await held('Desk', 2)
  await set(desk, { manual: {} })
  expect(await coverage()).toMatchObject({ percent: 30, people: 2, nobody: 5 })
  expect((await coverage()).next[1]).toMatchObject({
    appId: desk.appId,
    state: 'ENFORCEMENT_STATE_MANUAL',
    whatToDo: ['COVERAGE_REMEDY_CONNECT_APP'],
  })

  // What another entitlement includes is a record, unless the connector of that one carries it out.
  const included = await held('Included', 1)
  await set(included, { delegated: { appId: desk.appId, entitlementId: desk.id } })
  expect(await coverage()).toMatchObject({ people: 2, nobody: 6 })
  await set(included, { delegated: { appId: app.appId, entitlementId: await app.entitlement('staff') } })
  expect(await coverage()).toMatchObject({ percent: 36, grants: 11, confirmed: 4, nobody: 5 })

  // Nobody who revokes it: granting it alone is not enough.
  const made = await askTls(server, '/api/v1/webhooks', {
    method: 'POST',
    token,
    body: { displayName: 'Provisions', url: 'https://hooks.example.com/a' },
  })
  const { id: webhookId } = made.json['webhook'] as { id: string }
  await set(paper, { webhook: { webhookId } })
  expect(await coverage()).toMatchObject({ confirmed: 9, nobody: 0 })
  await set(paper, { unconfigured: {} }, 'deprovisionerPolicy')
  expect(await coverage()).toMatchObject({ confirmed: 4, nobody: 5 })

  await server.db`update connectors set sync_disabled_at = now() where connector_id = ${app.connectorId}`
  const paused = await coverage()
  expect(paused).toMatchObject({ percent: 0, confirmed: 0, unreliable: 4, people: 2, nobody: 5 })
  expect(paused.next.find(({ appId }) => appId === app.appId)).toMatchObject({
    grants: 3,
    state: 'ENFORCEMENT_STATE_CONNECTED',
    whatToDo: ['COVERAGE_REMEDY_REPAIR_CONNECTOR'],
  })
  await server.db`update connectors set sync_disabled_at = null where connector_id = ${app.connectorId}`
  await app.hello({ group: [2], connector: [2] })
  const reading = await coverage()
  expect(reading).toMatchObject({ confirmed: 0, unreliable: 0, people: 5, nobody: 6 })
  expect(reading.next.find(({ appId }) => appId === app.appId)).toMatchObject({
    whatToDo: ['COVERAGE_REMEDY_TURN_ON_PROVISIONING'],
  })
  await server.db`update grants set ended_at = now(), ended_by = 'test', ended_why = 'revoked' where ended_at is null`
  expect(await coverage()).toMatchObject({ percent: 0, grants: 0, next: [] })
})

test('coverage is for callers who may read all apps', async () => {
  const [viewer, basic, owner] = [
    ['system:viewer'],
    ['system:user'],
    ['system:user', 'system:application-admin'],
  ] as const
  const statusOf = async (roles: typeof viewer | typeof basic | typeof owner): Promise<number> =>
    (await get((await tokenOf(server, await access.makeCaller([...roles]))).token)).status
  expect([await statusOf(viewer), await statusOf(basic), await statusOf(owner)]).toEqual([200, 403, 403])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type TestApp } from '../connectors/app.ts'
import { makeConnector, tokenOf } from '../connectors/connector.ts'
import { type Access, type Json, openAccess } from '../fixture/access.ts'
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

const stateOf = async (app: TestApp): Promise<Json & { connectors: Json[] }> => {
  const reply = await app.ask(`/api/v1/apps/${app.appId}/enforcement`)
  expect(reply.status, reply.text).toBe(200)
  return reply.json['enforcement'] as Json & { connectors: Json[] }
}
const connectorOf = async (app: TestApp): Promise<Json> => (await stateOf(app)).connectors[0] as Json
const enforced = async (app: TestApp, id: string): Promise<Json> => {
  const reply = await app.post('/api/v1/enforcement/entitlements', { refs: [{ appId: app.appId, id }] })
  expect(reply.status, reply.text).toBe(200)
  return (reply.json['list'] as Json[])[0] as Json
}

test('an app with a connector is connected: by which one, when it synced last, and what it can do there', async () => {
  const app = await openApp(server, access, token)
  const state = await stateOf(app)
  expect(state).toMatchObject({
    appId: app.appId,
    state: 'ENFORCEMENT_STATE_CONNECTED',
    entitlementCounts: { connector: 2, webhook: 0, people: 0, anotherEntitlement: 0, nobody: 0 },
  })
  expect(state.connectors).toEqual([
    expect.objectContaining({
      id: app.connectorId,
      displayName: 'Directory connector',
      health: 'CONNECTOR_HEALTH_SYNCED',
      lastFailure: '',
      reads: true,
      grants: true,
      revokes: true,
      createsAccounts: true,
      whyNot: '',
    }),
  ])
  const [row] = await server.db<{ at: Date }[]>`
    select ended_at as at from connector_tasks where connector_id = ${app.connectorId} and state = 'done' and kind = 'sync'`
  expect(state.connectors[0]?.['lastSyncedAt']).toBe(row?.at.toISOString())
  const one = await enforced(app, await app.entitlement('staff'))
  expect(one).toMatchObject({
    by: 'ENFORCED_BY_CONNECTOR',
    connectorId: app.connectorId,
    connectorDisplayName: 'Directory connector',
    lastSyncedAt: row?.at.toISOString(),
    asked: null,
    revocation: null,
  })
})

test('a connector that only reads, is turned off or refuses grants nothing: the owners of the app are asked, and why', async () => {
  const app = await openApp(server, access, token)
  const id = await app.entitlement('staff')
  await app.hello({ group: [2], connector: [2] })
  const whyNot = 'The connector Directory connector only reads: it does not support provisioning.'
  expect(await connectorOf(app)).toMatchObject({
    reads: true,
    grants: false,
    revokes: false,
    createsAccounts: false,
    whyNot,
  })
  expect(await enforced(app, id)).toMatchObject({
    by: 'ENFORCED_BY_PEOPLE',
    connectorId: '',
    asked: { kind: 'ASKED_APP_OWNERS', words: 'the owners of the app' },
    why: whyNot,
  })
  await app.hello()
  expect(await enforced(app, id)).toMatchObject({ by: 'ENFORCED_BY_CONNECTOR' })
  const off = await app.post(`/api/v1/apps/${app.appId}/connectors/${app.connectorId}/provisioning`, {
    isDisabled: true,
  })
  expect(off.status, off.text).toBe(200)
  expect((await stateOf(app))['entitlementCounts']).toMatchObject({ connector: 0, people: 2 })
  expect(await enforced(app, id)).toMatchObject({
    by: 'ENFORCED_BY_PEOPLE',
    why: 'Provisioning by the connector Directory connector is turned off.',
  })
})

test('what is said of an entitlement is what happens to a request for it', async () => {
  const app = await openApp(server, access, token)
  expect(await enforced(app, await app.entitlement('staff'))).toMatchObject({ by: 'ENFORCED_BY_CONNECTOR' })
  const first = await app.request('grant', 'ada', 'staff')
  expect((await app.tasks()).map(({ kind, state }) => `${kind} ${state}`)).toEqual(['grant queued'])
  expect(await app.workAll()).toEqual(['grant'])
  await app.hello({ group: [2], connector: [2] })
  expect(await enforced(app, await app.entitlement('admins'))).toMatchObject({ by: 'ENFORCED_BY_PEOPLE' })
  const second = await app.request('grant', 'ada', 'admins')
  expect(await app.holds('ada', 'admins')).toEqual([])
  expect((await app.task(second)).state).toBe('TASK_STATE_OPEN')
  expect(first).not.toBe(second)
})

test('an entitlement that no connector reports is only recorded, beside others that the connector grants', async () => {
  const app = await openApp(server, access, token)
  const made = await app.post(`/api/v1/apps/${app.appId}/entitlements`, { displayName: 'On paper' })
  expect(made.status, made.text).toBe(200)
  const { id } = (made.json['appEntitlementView'] as { appEntitlement: { id: string } }).appEntitlement
  expect(await enforced(app, id)).toMatchObject({ by: 'ENFORCED_BY_NOBODY', asked: null })
  expect((await stateOf(app))['entitlementCounts']).toMatchObject({ connector: 2, nobody: 1 })
})

test('the health of a connector: never synced, failing with its error, held, disabled, silent for a day', async () => {
  const made = await makeConnector(access, access.tenant)
  const app = await openApp(server, access, token)
  const never = await app.ask(`/api/v1/apps/${made.appId}/enforcement`)
  expect((never.json['enforcement'] as { connectors: Json[] }).connectors).toMatchObject([
    { health: 'CONNECTOR_HEALTH_NEVER_SYNCED', lastSyncedAt: null, reads: false, grants: false },
  ])
  const synced = (await connectorOf(app))['lastSyncedAt']
  const add = (state: string, error: string) => server.db`
    insert into connector_tasks (tenant_id, connector_id, task_id, kind, state, error, created_at, begun_at, ended_at)
    values (${access.tenant.id}, ${app.connectorId}, ${access.world.newId()}, 'sync', ${state}, ${error}, now(), now(),
      ${state === 'held' ? null : new Date('2026-11-01T10:00:00Z')})`
  await add('failed', 'no route to host')
  expect(await connectorOf(app)).toMatchObject({
    health: 'CONNECTOR_HEALTH_FAILING',
    lastSyncedAt: synced,
    lastFailureAt: '2026-11-01T10:00:00.000Z',
    lastFailure: 'no route to host',
  })
  await add('held', 'It would remove 90% of the accounts.')
  expect(await connectorOf(app)).toMatchObject({ health: 'CONNECTOR_HEALTH_HELD', lastSyncedAt: synced })
  await server.db`delete from connector_tasks where connector_id = ${app.connectorId} and state in ('held', 'failed')`
  expect(await connectorOf(app)).toMatchObject({ health: 'CONNECTOR_HEALTH_SYNCED', lastFailureAt: null })
  await server.db`update connectors set last_seen_at = now() - interval '2 days' where connector_id = ${app.connectorId}`
  expect(await connectorOf(app)).toMatchObject({ health: 'CONNECTOR_HEALTH_SYNCED' })
  await server.db`update connector_tasks set ended_at = now() - interval '25 hours'
    where connector_id = ${app.connectorId} and state = 'done' and kind = 'sync'`
  expect(await connectorOf(app)).toMatchObject({ health: 'CONNECTOR_HEALTH_SILENT' })
  await server.db`update connectors set sync_disabled_at = now() where connector_id = ${app.connectorId}`
  expect(await connectorOf(app)).toMatchObject({ health: 'CONNECTOR_HEALTH_DISABLED' })
})

test('a removal of all access counts what a connector is sent, what people are asked, and what nobody is', async () => {
  const app = await openApp(server, access, token)
  app.members.add('ada/staff').add('ada/admins')
  await app.sync()
  const plan = async (): Promise<Json> => {
    const reply = await app.post(`/api/v1/users/${app.userIds['ada']}/access_removals/plan`)
    expect(reply.status, reply.text).toBe(200)
    return reply.json
  }
  const connected = { removedCount: 2, connectorCount: 2, nobodyCount: 0, manualCount: 0, keptCount: 0 }
  expect(await plan()).toMatchObject({
    ...connected,
    apps: [connected],
    items: [
      { outcome: 'removed', explanation: 'The grant ends, and the connector is sent its removal.' },
      { outcome: 'removed' },
    ],
  })
  const policy = { provisionerPolicy: { manual: { assignee: { appOwners: {} } } } }
  const path = `/api/v1/apps/${app.appId}/entitlements/${await app.entitlement('admins')}`
  await app.post(path, { entitlement: policy, updateMask: 'provisionerPolicy' })
  expect(await plan()).toMatchObject({ removedCount: 1, connectorCount: 1, nobodyCount: 0, manualCount: 1 })
  await server.db`update connectors set deleted_at = now() where connector_id = ${app.connectorId}`
  expect(await plan()).toMatchObject({ removedCount: 1, connectorCount: 0, nobodyCount: 1, manualCount: 1 })
})

test('the counts of differences name the connectors that have not synced, and how many apps nothing reads', async () => {
  const app = await openApp(server, access, token)
  const counts = async (): Promise<Json & { unread: Json[]; appsWithoutConnector: number }> => {
    const reply = await app.ask('/api/v1/drift/counts')
    expect(reply.status, reply.text).toBe(200)
    return reply.json as Json & { unread: Json[]; appsWithoutConnector: number }
  }
  const before = await counts()
  const synced = (await connectorOf(app))['lastSyncedAt']
  expect(before.unread.map(({ appId }) => appId)).not.toContain(app.appId)
  await server.db`update connectors set sync_disabled_at = now() where connector_id = ${app.connectorId}`
  expect((await counts()).unread.find(({ connectorId }) => connectorId === app.connectorId)).toMatchObject({
    appId: app.appId,
    displayName: 'Directory connector',
    health: 'CONNECTOR_HEALTH_DISABLED',
    lastSyncedAt: synced,
  })
  await server.db`update connectors set deleted_at = now() where connector_id = ${app.connectorId}`
  const after = await counts()
  expect(after.unread.map(({ appId }) => appId)).not.toContain(app.appId)
  expect(after.appsWithoutConnector).toBe(before.appsWithoutConnector + 1)
})

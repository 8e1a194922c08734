import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Access, ask, fieldsOf, getToken, type Json, openAccess, outcomeOf } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { makeApp } from './connector.ts'
import { type ScimApp, startScimApp } from './scim-app.ts'
import { createScim, type ScimScene } from './scim-scene.ts'

let server: TestServer
let access: Access
let app: ScimApp
let token: string
let scim: ScimScene
beforeAll(async () => {
  server = await startServer({
    flags: { empty: true, 'outgoing-http': true, 'outgoing-allow': ['127.0.0.1', 'localhost'] },
  })
  access = await openAccess(server)
  token = await getToken(server, await access.makeCaller(['system:owner']))
  app = await startScimApp()
  app.addUser('ada@api.example')
  app.addGroup('Staff', [...app.users.keys()])
  scim = await createScim(server, access, token, app)
  await scim.synced()
})
afterAll(async () => {
  await access.close()
  await server.stop()
  await app.close()
})

const testPath = '/api/v1/connectors/scim/test'
const checkOf = ({ json }: { json: Json }) => json['check'] as { isWorking: boolean; message: string; advice: string }

describe('the token', () => {
  test('is in no reply, in no table in the clear, in no event and in no line of the log', async () => {
    for (const path of [
      scim.path,
      `${scim.path}/overview`,
      `${scim.path}/scim`,
      `${scim.path}/syncs`,
      '/api/v1/connector_overview',
    ]) {
      const reply = await scim.ask(path)
      expect(reply.status, path).toBe(200)
      expect(reply.text).not.toContain(app.token)
    }
    const [row] = await server.db<{ all: string; sealed: string }[]>`
      select row_to_json(c)::text as all, encode(sealed_token, 'escape') as sealed from scim_connections c
      where connector_id = ${scim.connectorId}`
    expect(`${row?.all} ${row?.sealed}`).not.toContain(app.token)
    const events = await server.db<{ event: string }[]>`select event::text as event from systemlog_events`
    expect(events.some(({ event }) => event.includes(scim.connectorId))).toBe(true)
    expect(events.some(({ event }) => event.includes(app.token))).toBe(false)
    expect(JSON.stringify(server.logged)).not.toContain(app.token)
  })

  test('is not sent to another address: who changes that has to know it, by API and in the database', async () => {
    const other = await startScimApp()
    const moved = await scim.post(`${scim.path}/scim`, { baseUrl: other.url })
    expect([outcomeOf(moved), fieldsOf(moved)]).toEqual(['400/3 INPUT_INVALID', ['token']])
    await server.db`update scim_connections set base_url = ${other.url} where connector_id = ${scim.connectorId}`
    expect(await scim.sync()).toMatchObject({
      state: 'CONNECTOR_SYNC_STATE_FAILED',
      error: expect.stringContaining('Set the token again') as string,
    })
    expect(checkOf(await scim.post(`${scim.path}/scim/test`))).toMatchObject({ isWorking: false })
    expect(other.asked).toEqual([])
    const put = await scim.post(`${scim.path}/scim`, { baseUrl: `${app.url}/Users/`, token: ` Bearer ${app.token} ` })
    expect(put.json['connection']).toMatchObject({ baseUrl: app.url })
    expect((await scim.sync()).state).toBe('CONNECTOR_SYNC_STATE_DONE')
    await other.close()
  })
})

describe('a test of the connection', () => {
  test('tells what the app has, and changes nothing', async () => {
    const reply = await scim.post(testPath, { baseUrl: app.url, token: app.token })
    expect(checkOf(reply)).toMatchObject({
      isWorking: true,
      message: 'The app answers: 1 user, 1 group.',
      advice: '',
    })
    expect(checkOf(await scim.post(`${scim.path}/scim/test`))).toMatchObject({ isWorking: true, userCount: 1 })
    expect(app.changes()).toEqual([])
  })
  test.each([
    ['a wrong token', () => ({ baseUrl: app.url, token: 'wrong' }), /401/, /replace the token/],
    [
      'a wrong path',
      () => ({ baseUrl: app.url.replace('/scim/v2', '/nowhere/x'), token: app.token }),
      /404|not JSON/,
      /base URL/,
    ],
    ['nobody there', () => ({ baseUrl: 'http://127.0.0.1:1/scim', token: 'x' }), /could not be reached/, /is running/],
  ])('tells what to do about %s', async (_, body, message, advice) => {
    const check = checkOf(await scim.post(testPath, body()))
    expect(check.isWorking).toBe(false)
    expect(check.message).toMatch(message)
    expect(check.advice).toMatch(advice)
  })
  test.each([
    ['http://10.0.0.1/scim', 'baseUrl'],
    ['http://169.254.169.254/scim', 'baseUrl'],
    ['http://[::ffff:169.254.169.254]/scim', 'baseUrl'],
    ['http://2852039166/scim', 'baseUrl'],
    ['http://127.0.0.2/scim', 'baseUrl'],
    ['ftp://app.example', 'baseUrl'],
    ['http://a:b@app.example/', 'baseUrl'],
    ['http://app.example/scim?x=1', 'baseUrl'],
    ['', 'baseUrl'],
  ])('refuses the address %s', async (baseUrl, field) => {
    const reply = await scim.post(testPath, { baseUrl, token: 'x' })
    expect([outcomeOf(reply), fieldsOf(reply)]).toEqual(['400/3 INPUT_INVALID', [field]])
  })
})

describe('who may', () => {
  test('callers without the permission, and other tenants, learn and change nothing', async () => {
    const reader = await getToken(server, await access.makeCaller(['system:user']))
    const other = await access.makeTenant('elsewhere.example')
    const stranger = await getToken(server, await access.makeCaller(['system:owner'], {}, other))
    const body = { displayName: 'x', baseUrl: app.url, token: 'y' }
    const count = app.asked.length
    for (const [path, sent] of [
      [`/api/v1/apps/${scim.appId}/connectors/scim`, body],
      [testPath, body],
      [`${scim.path}/scim`, { token: 'z' }],
    ] as const)
      expect(outcomeOf(await ask(server, path, { token: reader, body: sent })), path).toBe('403/7 PERMISSION_DENIED')
    const asStranger = { token: stranger, host: 'elsewhere.example' }
    for (const [path, sent] of [
      [`${scim.path}/scim`, { token: 'z' }],
      [`${scim.path}/scim/test`, {}],
    ] as const)
      expect(outcomeOf(await ask(server, path, { ...asStranger, body: sent })), path).toBe('404/5 CONNECTOR_NOT_FOUND')
    expect(outcomeOf(await ask(server, `${scim.path}/scim`, asStranger))).toBe('404/5 CONNECTOR_NOT_FOUND')
    const there = await ask(server, `/api/v1/apps/${scim.appId}/connectors/scim`, { ...asStranger, body })
    expect(outcomeOf(there)).toBe('404/5 APP_NOT_FOUND')
    expect(app.asked).toHaveLength(count)
  })

  test('a connector of this server gets no credential, and no program is created for it', async () => {
    const rotated = await scim.post('/api/v1/apps/connectors/credentials', {
      appId: scim.appId,
      connectorId: scim.connectorId,
    })
    expect(outcomeOf(rotated)).toBe('400/9 CONNECTOR_BUILT_IN')
    for (const path of ['connectors', 'connectors/create']) {
      const made = await scim.post(`/api/v1/apps/${scim.appId}/${path}`, { displayName: 'x', catalogId: 'scim' })
      expect(outcomeOf(made)).toBe('400/9 CONNECTOR_BUILT_IN')
    }
    const plain = await scim.post(`/api/v1/apps/${scim.appId}/connectors`, { displayName: 'Program' })
    const { id } = (plain.json['connectorView'] as { connector: { id: string } }).connector
    expect(outcomeOf(await scim.ask(`/api/v1/apps/${scim.appId}/connectors/${id}/scim`))).toBe(
      '400/9 CONNECTOR_NOT_SCIM',
    )
    expect((await scim.ask(`/api/v1/apps/${scim.appId}/connectors/${id}`, { method: 'DELETE' })).status).toBe(200)
  })

  test('with a deleted connector its token is gone, and nothing is called any more', async () => {
    const own = await createScim(server, access, token, app)
    await own.synced()
    expect((await own.ask(own.path, { method: 'DELETE' })).status).toBe(200)
    const rows = await server.db`select 1 from scim_connections where connector_id = ${own.connectorId}`
    expect(rows).toHaveLength(0)
    expect(outcomeOf(await own.ask(`${own.path}/scim`))).toBe('404/5 CONNECTOR_NOT_FOUND')
  })
})

test('an app of a tenant is not found by another, and apps that do not exist have no connector', async () => {
  const appId = await makeApp(access, access.tenant)
  expect(outcomeOf(await scim.ask(`/api/v1/apps/${appId}/connectors/${scim.connectorId}/scim`))).toBe(
    '404/5 CONNECTOR_NOT_FOUND',
  )
})

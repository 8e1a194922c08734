import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Access,
  ask,
  fieldsOf,
  getToken,
  type Json,
  openAccess,
  outcomeOf,
  type Reply,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
let access: Access
let owner: string
let people: string[]
beforeAll(async () => {
  server = await startServer({ flags: { empty: true } })
  access = await openAccess(server)
  owner = await getToken(server, await access.makeCaller(['system:owner']))
  people = await Promise.all(['ada', 'bo', 'cy'].map(async () => (await access.makeCaller(['system:user'])).userId))
})
afterAll(async () => {
  await access?.close()
  await server?.stop()
})

const setUp = (body: object, token = owner): Promise<Reply> => ask(server, '/api/v1/app-setups', { token, body })
const get = async (path: string): Promise<Json> => (await ask(server, path, { token: owner })).json
const appsNamed = async (query: string): Promise<Json[]> =>
  (await ask(server, '/api/v1/search/apps', { token: owner, body: { query } })).json['list'] as Json[]

test('an app is created with its owners, entitlements and members, and its owners are asked to carry requests out', async () => {
  const [ada, bo, cy] = people
  const reply = await setUp({
    displayName: 'Wiki',
    description: 'Pages',
    ownerIds: [ada],
    entitlements: [
      { displayName: 'Editor', memberIds: [bo, cy, bo] },
      { displayName: 'Reader', description: 'Reads' },
    ],
  })
  expect(reply.status, reply.text).toBe(200)
  const { appId, entitlements } = reply.json as { appId: string; entitlements: Json[] }
  expect(entitlements).toMatchObject([
    { displayName: 'Editor', members: 2 },
    { displayName: 'Reader', members: 0 },
  ])
  const owners = (await get(`/api/v1/apps/${appId}/owners`))['list'] as Json[]
  expect(JSON.stringify(owners)).toContain(ada)
  const members = await get(`/api/v1/apps/${appId}/entitlements/${String(entitlements[0]?.['id'])}/users`)
  expect(JSON.stringify(members)).toContain(bo)
  const state = JSON.stringify(await get(`/api/v1/apps/${appId}/enforcement`))
  expect(state).toContain('MANUAL')
  const recorded = await setUp({ displayName: 'Paper', recordsOnly: true })
  expect(JSON.stringify(await get(`/api/v1/apps/${String(recorded.json['appId'])}/enforcement`))).toContain('RECORDS')
})

test('one part that is wrong, and nothing is created', async () => {
  const wrong: [object, string[]][] = [
    [
      { entitlements: [{ displayName: 'A', memberIds: ['2zzzzzzzzzzzzzzzzzzzzzzzzzz'] }] },
      ['entitlements[0].memberIds'],
    ],
    [{ entitlements: [{ displayName: 'A' }, { displayName: ' a ' }] }, ['entitlements[1].displayName']],
    [{ ownerIds: ['2zzzzzzzzzzzzzzzzzzzzzzzzzz'], entitlements: [{ displayName: 'A' }] }, []],
    [{ entitlements: Array.from({ length: 51 }, (_, at) => ({ displayName: `E${at}` })) }, ['entitlements']],
    [
      { entitlements: ['A', 'B'].map((displayName) => ({ displayName, memberIds: Array(1_500).fill(people[0]) })) },
      ['entitlements'],
    ],
  ]
  for (const [body, fields] of wrong) {
    const reply = await setUp({ displayName: 'Broken', ...body })
    expect(reply.status, reply.text).toBeGreaterThanOrEqual(400)
    expect(reply.status, reply.text).toBeLessThan(500)
    expect(fieldsOf(reply)).toEqual(fields)
  }
  expect(await appsNamed('Broken')).toEqual([])
})

test('each part needs the permission that it needs alone', async () => {
  const caller = async (...permissions: string[]): Promise<string> => {
    const roleId = await access.makeRole(`custom:${access.world.newId()}`, permissions)
    const key = await access.makeCaller(['system:user'])
    await ask(server, `/api/v1/users/${key.userId}/roles/${roleId}`, { token: owner, method: 'POST', body: {} })
    return getToken(server, key)
  }
  const all = {
    displayName: 'Mine',
    ownerIds: [people[0]],
    entitlements: [{ displayName: 'A', memberIds: [people[1]] }],
  }
  const apps = ['apps.write', 'apps.read']
  const denied: [string[], string][] = [
    [[], 'apps.write'],
    [apps, 'owners.write'],
    [[...apps, 'owners.write'], 'entitlements.write'],
    [[...apps, 'owners.write', 'entitlements.write'], 'grants.write'],
  ]
  for (const [permissions, missing] of denied) {
    const reply = await setUp(all, await caller(...permissions))
    expect(outcomeOf(reply)).toContain('PERMISSION_DENIED')
    expect(reply.text).toContain(missing)
  }
  expect(outcomeOf(await setUp({ displayName: 'Mine' }, await caller(...apps)))).toBe('200')
  expect(await appsNamed('Mine')).toHaveLength(1)
})

test('people of another tenant are nobody here', async () => {
  const other = await access.makeTenant('elsewhere.example.com')
  const stranger = await access.makeCaller(['system:user'], {}, other)
  const reply = await setUp({ displayName: 'Far', entitlements: [{ displayName: 'A', memberIds: [stranger.userId] }] })
  expect(fieldsOf(reply)).toEqual(['entitlements[0].memberIds'])
  expect(outcomeOf(await setUp({ displayName: 'Far', ownerIds: [stranger.userId] }))).toContain('NOT_FOUND')
  expect(await appsNamed('Far')).toEqual([])
})

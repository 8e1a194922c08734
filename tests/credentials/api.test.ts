import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '#kernel/sql.ts'
import { lastUsed } from '#rooms/identity/credentials/index.ts'
import { builtInRoles } from '#rooms/identity/roles/index.ts'
import {
  type Access,
  ask,
  askToken,
  bySecret,
  eventually,
  fieldsOf,
  getToken,
  type Json,
  type Key,
  openAccess,
  outcomeOf,
  type Reply,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
let access: Access
/** Callers by role, with a token each. */
let owner: Caller
let viewer: Caller
let user: Caller
let stranger: Caller
type Caller = Key & { token: string }

const caller = async (key: Key): Promise<Caller> => ({ ...key, token: await getToken(server, key) })

beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
  owner = await caller(await access.makeCaller(['system:owner']))
  viewer = await caller(await access.makeCaller(['system:viewer']))
  user = await caller(await access.makeCaller(['system:user']))
  stranger = await caller(await access.makeCaller(['system:user']))
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const clients = '/api/v1/iam/personal_clients'
const search = '/api/v1/search/iam/personal_clients'
const unknownId = '2zzzzzzzzzzzzzzzzzzzzzzzzzz'

const create = (by: Caller, body: Json): Promise<Reply> => ask(server, clients, { token: by.token, body })
const get = (by: Caller, id: string): Promise<Reply> => ask(server, `${clients}/${id}`, { token: by.token })
const update = (by: Caller, id: string, body: Json): Promise<Reply> =>
  ask(server, `${clients}/${id}`, { token: by.token, body })
const remove = (by: Caller, id: string): Promise<Reply> =>
  ask(server, `${clients}/${id}`, { token: by.token, method: 'DELETE' })
const clientIn = (reply: Reply): Json => {
  expect(reply.status, reply.text).toBe(200)
  return reply.json['client'] as Json
}
const listIn = (reply: Reply): Json[] => {
  expect(reply.status, reply.text).toBe(200)
  return reply.json['list'] as Json[]
}
const eventsAbout = async (id: unknown): Promise<Json[]> => {
  const rows = await server.db<{ event: string }[]>`
    select event from systemlog_events where event like ${`%"uid":"${String(id)}"%`} order by event_id`
  return rows.map((row) => JSON.parse(row.event) as Json)
}

describe('one’s own', () => {
  test('can be made, listed, got, changed and deleted, and each change is an event', async () => {
    const made = await create(user, { displayName: '  Nightly export ', expires: '2592000s' })
    const client = clientIn(made)
    expect(client).toMatchObject({
      userId: user.userId,
      displayName: 'Nightly export',
      scopedRoles: [],
      lastUsedAt: null,
    })
    const id = client['id'] as string
    expect(clientIn(await get(user, id))).toEqual(client)
    expect(listIn(await ask(server, clients, { token: user.token }))).toContainEqual(client)
    const changed = clientIn(await update(user, id, { client: { displayName: 'Weekly export' } }))
    expect(changed).toEqual({ ...client, displayName: 'Weekly export', updatedAt: changed['updatedAt'] })
    expect(clientIn(await get(user, id))).toEqual(changed)
    expect((await remove(user, id)).json).toEqual({})
    expect(outcomeOf(await get(user, id))).toBe('404/5 CREDENTIAL_NOT_FOUND')
    expect((await eventsAbout(id)).map((event) => event['activity_name'])).toEqual(['Create', 'Update', 'Delete'])
  })

  test('deleted twice is not found the second time', async () => {
    const { id } = await access.makeKey(user.userId)
    expect((await remove(user, id)).status).toBe(200)
    expect(outcomeOf(await remove(user, id))).toBe('404/5 CREDENTIAL_NOT_FOUND')
    expect(outcomeOf(await update(user, id, { client: { displayName: 'x' } }))).toBe('404/5 CREDENTIAL_NOT_FOUND')
  })

  test('deleted by several at once is deleted by one, in one event', async () => {
    const { id } = await access.makeKey(user.userId)
    const replies = await Promise.all([user, owner, user, owner].map((each) => remove(each, id)))
    expect(replies.map((reply) => String(reply.status)).toSorted()).toEqual(['200', '404', '404', '404'])
    expect((await eventsAbout(id)).filter((event) => event['activity_name'] === 'Delete')).toHaveLength(1)
  })

  test('changed by several at once is changed by one after the other', async () => {
    const { id } = await access.makeKey(user.userId)
    const cidrs = ['10.0.0.0/8']
    const replies = await Promise.all([
      update(user, id, { client: { displayName: 'a' } }),
      update(user, id, { client: { allowSourceCidr: cidrs } }),
    ])
    expect(replies.map((reply) => reply.status)).toEqual([200, 200])
    expect(clientIn(await get(user, id))).toMatchObject({ displayName: 'a', allowSourceCidr: cidrs })
  })

  test('are not more than a thousand that can be used', async () => {
    const many = await caller(await access.makeCaller(['system:user']))
    await server.db`
      insert into credentials (tenant_id, credential_id, user_id, client_id, display_name, public_key, secret_sha256,
        created_at, updated_at)
      select tenant_id, lpad(n::text, 27, '0'), user_id, n || '@localhost/pcc', 'x', public_key, secret_sha256,
        created_at, updated_at
      from credentials, generate_series(1, 999) n where credential_id = ${many.id}`
    expect(outcomeOf(await create(many, { displayName: 'x' }))).toBe('400/9 CREDENTIALS_TOO_MANY')
    // One that is deleted, and one that has expired, make room for another each.
    for (const column of ['deleted_at', 'expires_at']) {
      const id = (column === 'deleted_at' ? '1' : '2').padStart(27, '0')
      await server.db`update credentials set ${server.db(column)} = now() where credential_id = ${id}`
      const replies = await Promise.all([1, 2, 3].map(() => create(many, { displayName: 'x' })))
      expect(replies.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400', '400'])
    }
    await server.db`delete from credentials where user_id = ${many.userId} and credential_id <> ${many.id}`
  })
})

describe('a field that is wrong is named', () => {
  test.each<[Json, string[]]>([
    [{}, ['displayName']],
    [{ displayName: null }, ['displayName']],
    [{ displayName: '  ' }, ['displayName']],
    [{ displayName: 'a\tb' }, ['displayName']],
    [{ displayName: 'x'.repeat(201) }, ['displayName']],
    [{ displayName: 1 }, ['displayName']],
    [{ displayName: 'a\0b' }, ['displayName']],
    [{ displayName: 'x', expires: '1s' }, ['expires']],
    [{ displayName: 'x', expires: '2592001s' }, ['expires']],
    [{ displayName: 'x', expires: '2592000.5s' }, ['expires']],
    [{ displayName: 'x', expires: '-2592000s' }, ['expires']],
    [{ displayName: 'x', expires: '0s' }, ['expires']],
    [{ displayName: 'x', expires: '30d' }, ['expires']],
    [{ displayName: 'x', expires: 2_592_000 }, ['expires']],
    [{ displayName: 'x', expires: '' }, ['expires']],
    [{ displayName: 'x', allowSourceCidr: ['10.0.0.0/8', '10.0.0.0/33'] }, ['allowSourceCidr[1]']],
    [
      { displayName: 'x', allowSourceCidr: ['', 'x', '10.0.0'] },
      ['allowSourceCidr[0]', 'allowSourceCidr[1]', 'allowSourceCidr[2]'],
    ],
    [
      { displayName: 'x', allowSourceCidr: ['2001:db8::/129', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/8/8'] },
      [0, 1, 2, 3].map((i) => `allowSourceCidr[${i}]`),
    ],
    [
      { displayName: 'x', allowSourceCidr: ['fe80::1%eth0', ' 10.0.0.1', '010.0.0.1', '10.0.0.0/0x8'] },
      [0, 1, 2, 3].map((i) => `allowSourceCidr[${i}]`),
    ],
    [{ displayName: 'x', allowSourceCidr: '10.0.0.0/8' }, ['allowSourceCidr']],
    [{ displayName: 'x', allowSourceCidr: [null] }, ['allowSourceCidr[0]']],
    [{ displayName: 'x', allowSourceCidr: Array.from({ length: 101 }, () => '10.0.0.1') }, ['allowSourceCidr']],
    [{ displayName: 'x', scopedRoles: ['system:user'] }, ['scopedRoles']],
    [{ displayName: 'x', scopedRoles: [unknownId, ''] }, ['scopedRoles']],
    [{ displayName: 'x', scopedRoles: {} }, ['scopedRoles']],
    [{ displayName: 'x', expires: '5s', allowSourceCidr: ['x'] }, ['expires', 'allowSourceCidr[0]']],
  ])('when it is made with %j', async (body, fields) => {
    const reply = await create(user, body)
    expect(outcomeOf(reply)).toBe('400/3 INPUT_INVALID')
    expect(fieldsOf(reply)).toEqual(fields)
    for (const field of fields) expect(reply.json['message']).toContain(field)
  })

  test('and a refusal is short, however much was refused', async () => {
    const scopedRoles = Array.from({ length: 5000 }, (_, i) => 'x'.repeat(90) + i)
    const reply = await create(user, { displayName: 'x', scopedRoles })
    expect(fieldsOf(reply)).toEqual(['scopedRoles'])
    expect(reply.text.length).toBeLessThan(1000)
    const fewer = await create(user, { displayName: 'x', scopedRoles: scopedRoles.slice(0, 100) })
    expect(fewer.text.length).toBeLessThan(20_000)
  })

  test('a role of another tenant is one that is not there', async () => {
    const other = await access.makeTenant('credentials.example.com')
    const reply = await create(user, { displayName: 'x', scopedRoles: [await access.roleId('system:user', other)] })
    expect(fieldsOf(reply)).toEqual(['scopedRoles'])
  })

  test.each<[Json, string[]]>([
    [{ client: { displayName: '' } }, ['displayName']],
    [{ client: { displayName: 'x'.repeat(201) } }, ['client.displayName']],
    [{ client: { allowSourceCidr: ['x'] } }, ['allowSourceCidr[0]']],
    [{ client: { scopedRoles: ['x'] } }, ['scopedRoles']],
    [{ client: [] }, ['client']],
    [{ client: 'x' }, ['client']],
    [{ client: { displayName: 'x' }, updateMask: 'expiresTime' }, ['updateMask']],
    [{ client: { displayName: 'x' }, updateMask: 'displayName,expires_time' }, ['updateMask']],
    [{ client: { displayName: 'x' }, updateMask: 'userId' }, ['updateMask']],
    [{ client: { displayName: 'x' }, updateMask: 'nonsense' }, ['updateMask']],
    [{ client: { displayName: 'x' }, updateMask: 'constructor' }, ['updateMask']],
    [{ client: null, updateMask: 'displayName' }, ['displayName']],
    [{ updateMask: 5 }, ['updateMask']],
  ])('when it is changed by %j, which changes nothing', async (body, fields) => {
    const key = await access.makeKey(user.userId, { name: 'Before', cidrs: ['10.0.0.0/8'] })
    const before = clientIn(await get(user, key.id))
    const reply = await update(user, key.id, body)
    expect(outcomeOf(reply)).toBe('400/3 INPUT_INVALID')
    expect(fieldsOf(reply)).toEqual(fields)
    expect(clientIn(await get(user, key.id))).toEqual(before)
  })
})

describe('what is made', () => {
  test.each([
    ['2592000s', 30],
    ['7776000s', 90],
    ['2592000.000s', 30],
  ])('with expires %j lasts %d days', async (expires, days) => {
    const client = clientIn(await create(user, { displayName: 'x', expires }))
    const lasts = Date.parse(client['expiresTime'] as string) - Date.parse(client['createdAt'] as string)
    expect(lasts).toBe(days * 86_400_000)
  })

  test('without expires, or with null, never ends', async () => {
    expect(clientIn(await create(user, { displayName: 'x' }))['expiresTime']).toBeNull()
    expect(clientIn(await create(user, { displayName: 'x', expires: null }))['expiresTime']).toBeNull()
  })

  test('may be sent in snake_case, with what only the service tells ignored', async () => {
    const scope = await access.roleId('system:user')
    const body = { display_name: 'x', allow_source_cidr: ['10.0.0.1'], scoped_roles: [scope, scope], client_id: 'mine' }
    const client = clientIn(await create(user, { ...body, userId: stranger.userId }))
    expect(client).toMatchObject({ userId: user.userId, allowSourceCidr: ['10.0.0.1'], scopedRoles: [scope] })
    expect(client['clientId']).not.toBe('mine')
  })

  test('has the service domain and the v1: that the settings say', async () => {
    const flags = { 'service-domain': 'Secrets.Example.com', 'client-secret-v1': true }
    const second = await startServer({ beside: server, flags })
    const { json } = await ask(second, clients, { token: owner.token, body: { displayName: 'x' } })
    const { client, clientSecret } = json as { client: Json; clientSecret: string }
    expect(clientSecret).toMatch(/^secret-token:secrets\.example\.com:v1:[\w-]+$/)
    const form = bySecret({ clientId: client['clientId'] as string, clientSecret })
    expect((await askToken(server, form)).status).toBe(200)
    await second.stop()
  })
})

describe('an update', () => {
  let key: Key
  const body = { displayName: 'After', allowSourceCidr: ['192.0.2.0/24'], scopedRoles: [] }
  beforeAll(async () => {
    key = await access.makeKey(user.userId, { name: 'Before', cidrs: ['10.0.0.0/8'], roles: ['system:user'] })
  })

  test('with a mask changes what it names and nothing else, in either spelling', async () => {
    const before = clientIn(await get(user, key.id))
    const named = clientIn(await update(user, key.id, { client: body, updateMask: 'displayName' }))
    expect(named).toEqual({ ...before, displayName: 'After', updatedAt: named['updatedAt'] })
    const cidrs = clientIn(await update(user, key.id, { client: body, update_mask: 'allow_source_cidr' }))
    expect(cidrs).toMatchObject({ allowSourceCidr: ['192.0.2.0/24'], scopedRoles: before['scopedRoles'] })
    const both = clientIn(await update(user, key.id, { client: body, updateMask: ' scopedRoles , display_name' }))
    expect(both['scopedRoles']).toEqual([])
  })

  test('without a mask changes what was sent, and leaves alone what only the service tells', async () => {
    const before = clientIn(await get(user, key.id))
    const sent = { ...before, displayName: 'Sent back', clientId: 'x' }
    const after = clientIn(await update(user, key.id, { client: sent }))
    expect(after).toEqual({ ...before, displayName: 'Sent back', updatedAt: after['updatedAt'] })
    const other = await update(user, key.id, { client: { ...sent, expiresTime: '2020-01-01T00:00:00Z' } })
    expect(outcomeOf(other)).toBe('400/3 INPUT_INVALID')
    const unchanged = clientIn(await update(user, key.id, {}))
    expect(unchanged).toEqual({ ...after, updatedAt: unchanged['updatedAt'] })
  })

  test('with a mask that names what was not sent clears it', async () => {
    await update(user, key.id, { client: { allowSourceCidr: ['10.0.0.1'] } })
    expect(
      clientIn(await update(user, key.id, { client: {}, updateMask: 'allowSourceCidr' }))['allowSourceCidr'],
    ).toEqual([])
  })
})

describe('someone else’s', () => {
  test('is not there for a Basic User: not to get, to change or to delete', async () => {
    const { id } = await access.makeKey(user.userId)
    const asIfUnknown = outcomeOf(await get(stranger, unknownId))
    expect(asIfUnknown).toBe('404/5 CREDENTIAL_NOT_FOUND')
    expect(outcomeOf(await get(stranger, id))).toBe(asIfUnknown)
    expect(outcomeOf(await update(stranger, id, { client: { displayName: 'x' } }))).toBe(asIfUnknown)
    expect(outcomeOf(await remove(stranger, id))).toBe(asIfUnknown)
    expect(listIn(await ask(server, clients, { token: stranger.token })).map((each) => each['id'])).not.toContain(id)
    expect((await get(user, id)).status).toBe(200)
  })

  test('can be seen and searched by a Read-Only Administrator, and no more', async () => {
    const { id } = await access.makeKey(user.userId, { name: 'Seen by all' })
    expect(clientIn(await get(viewer, id))['userId']).toBe(user.userId)
    const found = listIn(await ask(server, search, { token: viewer.token, body: { query: 'seen by ALL' } }))
    expect(found.map((each) => each['id'])).toEqual([id])
    expect(outcomeOf(await remove(viewer, id))).toBe('403/7 PERMISSION_DENIED')
    expect(outcomeOf(await update(viewer, id, { client: { displayName: 'x' } }))).toBe('403/7 PERMISSION_DENIED')
    expect(outcomeOf(await ask(server, search, { token: user.token, body: {} }))).toBe('403/7 PERMISSION_DENIED')
  })

  test('can be seen, searched and deleted by a Super Administrator, and not changed', async () => {
    const { id } = await access.makeKey(user.userId)
    expect((await get(owner, id)).status).toBe(200)
    expect(outcomeOf(await update(owner, id, { client: { displayName: 'x' } }))).toBe('404/5 CREDENTIAL_NOT_FOUND')
    expect((await remove(owner, id)).json).toEqual({})
    expect(outcomeOf(await get(user, id))).toBe('404/5 CREDENTIAL_NOT_FOUND')
  })

  test('of another tenant is not there for anyone', async () => {
    const other = await access.makeTenant('others.example.com')
    const theirs = await access.makeCaller(['system:user'], {}, other)
    for (const reply of [await get(owner, theirs.id), await remove(owner, theirs.id), await get(viewer, theirs.id)])
      expect(outcomeOf(reply)).toBe('404/5 CREDENTIAL_NOT_FOUND')
    const found = await ask(server, search, { token: owner.token, body: { users: [{ id: theirs.userId }] } })
    expect(listIn(found)).toEqual([])
  })
})

describe('a search', () => {
  const find = async (body: Json): Promise<unknown[]> =>
    listIn(await ask(server, search, { token: owner.token, body })).map((each) => each['displayName'])

  test('takes what is typed as it is: % and _ and \\ stand for themselves', async () => {
    const { userId } = await access.makeCaller(['system:user'], { name: '100% sure' })
    for (const name of ['100 percent', 'snake_case', 'snakeXcase', 'back\\slash'])
      await access.makeKey(userId, { name })
    expect(await find({ query: '100%' })).toEqual(['100% sure'])
    expect(await find({ query: 'snake_case' })).toEqual(['snake_case'])
    expect(await find({ query: '\\' })).toEqual(['back\\slash'])
    expect(await find({ query: "'; drop table credentials; --" })).toEqual([])
    expect(await find({ query: 'CASE', users: [{ id: userId }] })).toEqual(['snake_case', 'snakeXcase'])
  })

  test('finds by client id and by users, and refuses what is too long', async () => {
    const key = await access.makeCaller(['system:user'], { name: 'By client id' })
    expect(await find({ query: key.clientId })).toEqual(['By client id'])
    expect(await find({ users: [{ id: key.userId }, { id: unknownId }] })).toEqual(['By client id'])
    expect(await find({ users: [{ id: unknownId }] })).toEqual([])
    const tooLong = await ask(server, search, { token: owner.token, body: { query: 'x'.repeat(1001) } })
    expect(fieldsOf(tooLong)).toEqual(['query'])
    const users = Array.from({ length: 101 }, () => ({ id: unknownId }))
    expect(fieldsOf(await ask(server, search, { token: owner.token, body: { users } }))).toEqual(['users'])
  })

  test('is paged, and its page token is for that search only', async () => {
    const userId = await access.makeUser({ roles: ['system:user'] })
    const keys: Key[] = []
    for (let i = 0; i < 23; i++) keys.push(await access.makeKey(userId, { name: `Paged ${i}` }))
    const body = { users: [{ id: userId }], page_size: 10 }
    const seen: unknown[] = []
    let pageToken = ''
    const sizes: number[] = []
    do {
      const reply = await ask(server, search, { token: owner.token, body: { ...body, pageToken } })
      const rows = listIn(reply)
      sizes.push(rows.length)
      seen.push(...rows.map((each) => each['id']))
      pageToken = reply.json['nextPageToken'] as string
    } while (pageToken !== '')
    expect(sizes).toEqual([10, 10, 3])
    expect(seen).toEqual(keys.map((key) => key.id))

    const first = await ask(server, search, { token: owner.token, body })
    const next = { pageToken: first.json['nextPageToken'] }
    for (const other of [{ ...body, query: 'Paged' }, { page_size: 10 }])
      expect(outcomeOf(await ask(server, search, { token: owner.token, body: { ...other, ...next } }))).toBe(
        '400/3 PAGE_TOKEN_INVALID',
      )
    const elsewhere = `${clients}?page_token=${String(next.pageToken)}`
    expect(outcomeOf(await ask(server, elsewhere, { token: owner.token }))).toBe('400/3 PAGE_TOKEN_INVALID')
  })
})

describe('what a credential may do', () => {
  test('is what its scope and its owner’s roles both allow', async () => {
    const permissionsBy = async (key: Key): Promise<unknown> =>
      (await ask(server, '/api/v1/auth/introspect', { token: await getToken(server, key) })).json['permissions']
    const owned = await access.makeUser({ roles: ['system:owner'] })
    const basic = await access.makeUser({ roles: ['system:user'] })
    expect(await permissionsBy(await access.makeKey(owned, { roles: ['system:system-logs-reader'] }))).toEqual([
      'systemlog.read',
    ])
    expect(await permissionsBy(await access.makeKey(basic, { roles: ['system:owner'] }))).toEqual(
      builtInRoles['system:user'].permissions.toSorted(),
    )
    expect(await permissionsBy(await access.makeKey(basic, { roles: ['system:system-logs-reader'] }))).toEqual([])
    expect(await permissionsBy(await access.makeKey(await access.makeUser()))).toEqual([])
  })

  test('does not become everything when the role of its scope is gone', async () => {
    const roleId = await access.makeRole('custom:gone', ['roles.read'])
    const key = await access.makeCaller(['system:owner'], { roles: ['custom:gone'] })
    const token = await getToken(server, key)
    expect((await ask(server, '/api/v1/iam/roles', { token })).status).toBe(200)
    await server.db`delete from roles where role_id = ${roleId}`
    const isDenied = async (): Promise<boolean> => (await ask(server, '/api/v1/iam/roles', { token })).status === 403
    expect(await eventually(isDenied)).toBe(true)
  })
})

describe('a credential that is limited', () => {
  test('by scope makes and changes none that is freer', async () => {
    const userId = await access.makeUser({ roles: ['system:owner'] })
    const limited = await caller(await access.makeKey(userId, { roles: ['system:user', 'system:viewer'] }))
    const free = await access.makeKey(userId)
    const [basic, admin] = [await access.roleId('system:user'), await access.roleId('system:owner')]
    for (const scopedRoles of [[], null, [admin], [basic, admin]])
      expect(fieldsOf(await create(limited, { displayName: 'x', scopedRoles }))).toEqual(['scopedRoles'])
    expect((await create(limited, { displayName: 'x', scopedRoles: [basic] })).status).toBe(200)
    for (const scopedRoles of [[], [admin]])
      expect(fieldsOf(await update(limited, limited.id, { client: { scopedRoles } }))).toEqual(['scopedRoles'])
    // Nor does it get at one that is freer by the back door of its name.
    expect(outcomeOf(await update(limited, free.id, { client: { displayName: 'x' } }))).toBe(
      '404/5 CREDENTIAL_NOT_FOUND',
    )
    expect((await update(limited, limited.id, { client: { scopedRoles: [basic] } })).status).toBe(200)
  })

  test('by addresses makes and changes none that is freer, however it is written', async () => {
    const userId = await access.makeUser({ roles: ['system:user'] })
    const key = await access.makeKey(userId, { cidrs: ['10.0.0.0/8', '2001:db8::/32'] })
    const from = '10.1.2.3'
    const limited = { ...key, token: await getToken(server, key, { from }) }
    const make = (allowSourceCidr: unknown): Promise<Reply> =>
      ask(server, clients, { token: limited.token, from, body: { displayName: 'x', allowSourceCidr } })
    const freer: unknown[] = [
      [],
      null,
      ['0.0.0.0/0'],
      ['10.0.0.0/7'],
      ['11.0.0.1'],
      ['10.0.0.1', '11.0.0.1'],
      ['2001:db8::/31'],
      ['::/0'],
      ['2001::/8'],
      // IPv4 in the clothes of IPv6: the bits of one family are not those of the other.
      ['::ffff:10.0.0.0/8'],
      ['::ffff:10.0.0.0/9'],
      ['::ffff:a00:0/9'],
      ['::ffff:a00:0/95'],
      ['::ffff:10.0.0.0/103'],
      ['::ffff:11.0.0.0/104'],
      ['::10.0.0.0/104'],
    ]
    for (const cidrs of freer) {
      const reply = await make(cidrs)
      expect(fieldsOf(reply), JSON.stringify(cidrs)).toEqual(['allowSourceCidr'])
      const body = { client: { allowSourceCidr: cidrs ?? [] } }
      const changed = await ask(server, `${clients}/${key.id}`, { token: limited.token, from, body })
      expect(fieldsOf(changed), JSON.stringify(cidrs)).toEqual(['allowSourceCidr'])
    }
    for (const cidrs of [
      ['10.0.0.0/8'],
      ['10.3.0.0/16', '2001:db8:1::1'],
      ['::ffff:10.0.0.0/104', '::ffff:a00:1'],
      ['2001:0DB8::/32'],
    ])
      expect((await make(cidrs)).status, JSON.stringify(cidrs)).toBe(200)
  })
})

test('last used is accurate to the minute, within seconds of a token or a call, and unset before', async () => {
  const key = await access.makeCaller(['system:user'])
  const lastUsedAt = async (): Promise<string | null> =>
    clientIn(await get(owner, key.id))['lastUsedAt'] as string | null
  expect(await lastUsedAt()).toBeNull()
  // A refusal is no use.
  await askToken(server, { ...bySecret(key), client_secret: 'x' })
  const begin = Date.now()
  await getToken(server, key)
  expect(await eventually(async () => (await lastUsedAt()) !== null)).toBe(true)
  const told = Date.parse((await lastUsedAt()) as string)
  // The minute, unless it began before the credential was created.
  const createdAt = Date.parse(clientIn(await get(owner, key.id))['createdAt'] as string)
  expect(told === createdAt || told % 60_000 === 0).toBe(true)
  expect(told).toBeGreaterThanOrEqual(Math.max(Math.floor(begin / 60_000) * 60_000, createdAt))
  expect(told).toBeLessThanOrEqual(Date.now())
})

test('a use that could not be written is written the next time', async () => {
  const key = await access.makeCaller(['system:user'])
  const { world } = access
  let isAway = true
  const failing = (...asked: Parameters<Db>) => (isAway ? Promise.reject(new Error('away')) : world.db(...asked))
  const uses = lastUsed.make({ ...world, db: failing as unknown as Db })
  uses.note(access.tenant.id, key.id)
  await expect(uses.write()).rejects.toThrow('away')
  isAway = false
  await uses.write()
  expect(clientIn(await get(owner, key.id))['lastUsedAt']).not.toBeNull()
})

test('the limits hold also for the operator’s command, which does not come through the API', async () => {
  await expect(access.makeKey(user.userId, { name: 'x'.repeat(201) })).rejects.toThrow(/displayName: must have at most/)
  await expect(access.makeKey(user.userId, { name: ' ' })).rejects.toThrow(/displayName: must not be empty/)
  await expect(access.makeKey(user.userId, { lifespanSeconds: 60 })).rejects.toThrow(/expires: must be/)
  await expect(access.makeKey(user.userId, { cidrs: ['x'] })).rejects.toThrow(/allowSourceCidr/)
})

test('someone who may change only their own is slowed when they do so for ever, and can still delete', async () => {
  const busy = await caller(await access.makeCaller(['system:user']))
  expect((await update(busy, busy.id, { client: { displayName: 'mine' } })).status).toBe(200)
  // Those that are refused count too, and take less.
  const refused = { client: { displayName: 'x' }, updateMask: 'nothing' }
  const replies: Reply[] = []
  const isSlowed = (): boolean => replies.some(({ status }) => status === 429)
  while (!isSlowed())
    replies.push(...(await Promise.all(Array.from({ length: 50 }, () => update(busy, busy.id, refused)))))
  expect(replies.length).toBeGreaterThan(299)
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([400, 429]))
  // Many at once: meanwhile some are allowed again.
  let slowed: Reply | undefined
  while (!slowed) {
    const again = Array.from({ length: 50 }, () => update(busy, busy.id, { client: { displayName: 'mine again' } }))
    slowed = (await Promise.all(again)).find(({ status }) => status === 429)
  }
  expect(slowed.headers['retry-after']).toMatch(/^\d+$/)
  expect((await update(owner, owner.id, { client: { displayName: 'still' } })).status).toBe(200)
  expect((await remove(busy, busy.id)).status).toBe(200)
})

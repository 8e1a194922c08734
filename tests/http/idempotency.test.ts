import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetKeys } from '#http/guards/idempotency.ts'
import { Refusal } from '#kernel/refusals.ts'
import { authenticated, route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { int32, message, text } from '#kernel/wire.ts'
import { routes } from '#server/registry/routes.ts'
import {
  type Access,
  type Asking,
  ask,
  getToken,
  type Key,
  openAccess,
  outcomeOf,
  type Reply,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

const Row = message('TestRow', { name: text(), count: int32() })
/** Resolved once one of several with the same key was refused. */
const raced = Promise.withResolvers<void>()
const extraRoutes = [
  route({
    id: 'test.v1.Rows.WriteTwice',
    at: 'POST /test/twice',
    summary: 'Writes in two transactions, and fails between them when it is told to.',
    allow: authenticated,
    body: Row,
    reply: Row,
    handle: async ({ db }, { body }) => {
      await transact(db, async (tx) => void (await tx`insert into written values (${`${body.name} first`})`))
      if (body.name === 'race') await raced.promise
      if (body.count === 1) throw new Refusal('LAST_OWNER', 'Refused after the first of two.')
      if (body.count === 2) throw new Error('broken after the first of two')
      await transact(db, async (tx) => void (await tx`insert into written values (${`${body.name} second`})`))
      return body
    },
  }),
]

let server: TestServer
let other: TestServer
let access: Access
let key: Key
let token: string
beforeAll(async () => {
  server = await startServer({ extraRoutes })
  other = await startServer({ beside: server, extraRoutes })
  access = await openAccess(server)
  key = await access.makeCaller(['system:owner'])
  token = await getToken(server, key)
  await server.db`create table written (name text primary key)`
})
afterAll(async () => {
  await access.close()
  await other.stop()
  await server.stop()
})

const post = (path: string, idempotencyKey: string, body: unknown, more: Asking = {}, to = server): Promise<Reply> =>
  ask(to, path, { token, body, ...more, headers: { 'idempotency-key': idempotencyKey, ...more.headers } })
const createApp = (idempotencyKey: string, displayName: string, more: Asking = {}, to = server) =>
  post('/api/v1/apps', idempotencyKey, { displayName }, more, to)
const countApps = async (name: string): Promise<number> =>
  (await server.db`select 1 from apps where display_name = ${name}`).length
const written = async (name: string): Promise<string[]> =>
  (await server.db<{ name: string }[]>`select name from written where name like ${`${name} %`} order by name`).map(
    (row) => row.name,
  )

test('the same request with the same key is done once, and answered the same, also by another server', async () => {
  const id = randomUUID()
  const first = await createApp(id, 'Once')
  expect(first.status).toBe(200)
  expect(first.headers['idempotent-replayed']).toBeUndefined()
  for (const [to, spelt] of [
    [server, id],
    [other, id],
    [server, `"${id}"`],
  ] as const) {
    const again = await createApp(spelt, 'Once', {}, to)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(again.headers['idempotent-replayed']).toBe('true')
  }
  expect(await countApps('Once')).toBe(1)
  // Without a key, and with another, it is another request.
  await ask(server, '/api/v1/apps', { token, body: { displayName: 'Once' } })
  await createApp(randomUUID(), 'Once')
  expect(await countApps('Once')).toBe(3)
})

test('a key belongs to one request: another body, address or operation is a 422', async () => {
  const id = randomUUID()
  const made = await createApp(id, 'Mine')
  const appId = (made.json['app'] as { id: string }).id
  const reused = '422/3 IDEMPOTENCY_KEY_REUSED'
  expect(outcomeOf(await createApp(id, 'Other'))).toBe(reused)
  expect(outcomeOf(await post(`/api/v1/apps/${appId}`, id, { displayName: 'Mine' }))).toBe(reused)
  expect(
    outcomeOf(
      await ask(server, `/api/v1/apps/${appId}`, { token, method: 'DELETE', headers: { 'idempotency-key': id } }),
    ),
  ).toBe(reused)
  expect(await countApps('Mine')).toBe(1)
})

test("a key is its caller's own: another credential's and another tenant's are other keys", async () => {
  const id = randomUUID()
  await createApp(id, 'Shared')
  const second = await getToken(server, await access.makeKey(key.userId))
  expect((await createApp(id, 'Shared', { token: second })).headers['idempotent-replayed']).toBeUndefined()
  const tenant = await access.makeTenant('keys.example')
  const elsewhere = await access.makeCaller(['system:owner'], {}, tenant)
  const foreign = { token: await getToken(server, elsewhere), host: 'keys.example' }
  expect((await createApp(id, 'Shared', foreign)).headers['idempotent-replayed']).toBeUndefined()
  expect(await countApps('Shared')).toBe(3)
})

test('who lost the permission does not get the reply again', async () => {
  const caller = await access.makeCaller(['system:owner'])
  const own = await getToken(server, caller)
  const id = randomUUID()
  await createApp(id, 'Lost', { token: own })
  await ask(server, `/api/v1/iam/personal_clients/${caller.id}`, { token: own, method: 'DELETE' })
  expect((await createApp(id, 'Lost', { token: own })).status).toBe(401)
})

test('twenty at once with one key, on two servers: one effect; the others get 409 or the reply', async () => {
  const id = randomUUID()
  const ask20 = Array.from({ length: 20 }, async (_, n) => {
    const reply = await post('/test/twice', id, { name: 'race' }, {}, n % 2 ? server : other)
    if (reply.status === 409) raced.resolve()
    return reply
  })
  const replies = await Promise.all(ask20)
  const outcomes = replies.map(outcomeOf)
  expect(outcomes.filter((outcome) => outcome !== '200' && outcome !== '409/10 IDEMPOTENCY_KEY_IN_USE')).toEqual([])
  expect(replies.filter(({ status, headers }) => status === 200 && !headers['idempotent-replayed'])).toHaveLength(1)
  expect(replies.find(({ status }) => status === 409)?.headers['retry-after']).toBe('1')
  expect(await written('race')).toEqual(['race first', 'race second'])
})

test('a handler of two transactions does both or neither', async () => {
  const id = randomUUID()
  expect((await post('/test/twice', id, { name: 'bug', count: 2 })).status).toBe(500)
  expect(await written('bug')).toEqual([])
  expect((await post('/test/twice', id, { name: 'bug' })).status).toBe(200)
  expect(await written('bug')).toEqual(['bug first', 'bug second'])
})

test('a refusal is not kept, and what was committed before it stays, as without a key', async () => {
  const id = randomUUID()
  expect(outcomeOf(await post('/test/twice', id, { name: 'no', count: 1 }))).toBe('400/9 LAST_OWNER')
  expect(await written('no')).toEqual(['no first'])
  await server.db`delete from written where name like 'no %'`
  expect((await post('/test/twice', id, { name: 'no' })).status).toBe(200)
  expect((await createApp(randomUUID(), '')).status).toBe(400)
})

test('a search with a key is executed each time', async () => {
  const id = randomUUID()
  const search = () => post('/api/v1/search/apps', id, { query: 'Fresh' })
  expect((await search()).json['list']).toEqual([])
  await createApp(randomUUID(), 'Fresh')
  expect((await search()).json['list']).toHaveLength(1)
})

test('a credential that is deleted under a key counts no more at once', async () => {
  const caller = await access.makeCaller(['system:owner'])
  const own = await getToken(server, caller)
  let isOver = false
  const asking = (async () => {
    while (!isOver) await ask(server, '/api/v1/apps', { token: own })
  })()
  const gone = await ask(server, `/api/v1/iam/personal_clients/${caller.id}`, {
    ...{ token: own, method: 'DELETE' },
    headers: { 'idempotency-key': randomUUID() },
  })
  expect(gone.status).toBe(200)
  expect((await ask(server, '/api/v1/apps', { token: own })).status).toBe(401)
  isOver = true
  await asking
})

test('a secret is not kept: the same request again names what was created, and creates nothing', async () => {
  const id = randomUUID()
  const create = () => post('/api/v1/iam/personal_clients', id, { displayName: 'secret' })
  const first = await create()
  const made = first.json['client'] as { id: string }
  expect(first.json['clientSecret']).toMatch(/^secret-token:/)
  const again = await create()
  expect(outcomeOf(again)).toBe('409/6 SECRET_ALREADY_SENT')
  expect((again.json['details'] as object[])[0]).toMatchObject({ metadata: { id: made.id } })
  expect((await server.db`select 1 from credentials where display_name = 'secret'`).length).toBe(1)
})

test('every reply with a field for a secret is marked as one', () => {
  const holding = routes.filter(({ reply }) => Object.keys(reply.fields).some((name) => /secret/i.test(name)))
  expect(holding.length).toBeGreaterThan(0)
  expect(holding.filter(({ secretIn, allow }) => secretIn === null && allow !== 'anyone').map(({ id }) => id)).toEqual(
    [],
  )
})

test('what is kept is sealed, and a reply that was altered is not given out', async () => {
  const id = randomUUID()
  await createApp(id, 'Sealed content')
  const rows = await server.db<{ reply: Buffer }[]>`select reply from idempotency_keys order by created_at desc limit 1`
  expect(rows[0]?.reply.includes('Sealed content')).toBe(false)
  await server.db`update idempotency_keys set reply = set_byte(reply, 20, (get_byte(reply, 20) + 1) % 256)`
  expect((await createApp(id, 'Sealed content')).status).toBe(500)
  expect(await countApps('Sealed content')).toBe(1)
})

test.each([[''], ['a'.repeat(256)], ['a b'], ['a, b'], ['"a'], ['"a" b']])('the key %j is a 400', async (id) => {
  const reply = await createApp(id, 'Malformed')
  expect(outcomeOf(reply)).toBe('400/3 INPUT_INVALID')
  expect(reply.json['message']).toContain('Idempotency-Key')
  expect(await countApps('Malformed')).toBe(0)
})

test('keys are forgotten after 24 hours', async () => {
  const id = randomUUID()
  await createApp(id, 'Old')
  await server.db`update idempotency_keys set created_at = now() - interval '25 hours'`
  expect((await createApp(id, 'Old')).headers['idempotent-replayed']).toBeUndefined()
  expect((await createApp(id, 'Old')).headers['idempotent-replayed']).toBe('true')
  await forgetKeys(access.world)
  expect(await server.db`select 1 from idempotency_keys`).toHaveLength(1)
})

test('a caller has 10,000 keys at most, and goes on without one', async () => {
  await server.db`
    insert into idempotency_keys
    select tenant_id, caller, sha256(n::text::bytea), fingerprint, reply, false, created_at
    from (select * from idempotency_keys limit 1) as one, generate_series(1, 10000) as n`
  expect(outcomeOf(await createApp(randomUUID(), 'Many'))).toBe('429/8 IDEMPOTENCY_KEYS_TOO_MANY')
  expect((await ask(server, '/api/v1/apps', { token, body: { displayName: 'Many' } })).status).toBe(200)
})

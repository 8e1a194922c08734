import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiDocument } from '#http/openapi.ts'
import { routes } from '#server/registry/routes.ts'
import {
  type Access,
  ask,
  askToken,
  assertionOf,
  byAssertion,
  getToken,
  type Json,
  type Key,
  nowSeconds,
  openAccess,
  type Reply,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

/** The lines of "Limits" and "Versioning" in the specification, each under its own words. */

let server: TestServer
let access: Access
let key: Key
let token: string
const rows = 130
beforeAll(async () => {
  server = await startServer()
  access = await openAccess(server)
  key = await access.makeCaller(['system:owner'])
  token = await getToken(server, key)
  await server.db`
    insert into credentials (tenant_id, credential_id, user_id, client_id, display_name, public_key, secret_sha256,
      created_at, updated_at)
    select tenant_id, lpad(n::text, 27, '0'), user_id, n || '@localhost/pcc', 'x', public_key, secret_sha256,
      created_at, updated_at
    from credentials, generate_series(1, ${rows - 1}) n where credential_id = ${key.id}`
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const byGet = (page: Record<string, string>): Promise<Reply> =>
  ask(server, `/api/v1/iam/personal_clients?${new URLSearchParams(page).toString()}`, { token })
const byPost = (page: Json): Promise<Reply> => ask(server, '/api/v1/search/iam/personal_clients', { token, body: page })
const sizeOf = (reply: Reply): number => {
  expect(reply.status, reply.text).toBe(200)
  return (reply.json['list'] as Json[]).length
}

describe('page_size', () => {
  test.each([10, 11, 25, 99, 100])('accepted range 10 to 100: %d', async (size) => {
    expect(sizeOf(await byGet({ page_size: String(size) }))).toBe(size)
    expect(sizeOf(await byPost({ page_size: size }))).toBe(size)
  })

  test.each([9, 1, 0, -1, -100, -2_147_483_649])('below 10 is treated as 10: %d', async (size) => {
    expect(sizeOf(await byGet({ page_size: String(size) }))).toBe(10)
    expect(sizeOf(await byPost({ page_size: size }))).toBe(10)
  })

  test.each([101, 1000, 2_147_483_648, 1e15])('above 100 is treated as 100: %d', async (size) => {
    expect(sizeOf(await byGet({ page_size: String(size) }))).toBe(100)
    expect(sizeOf(await byPost({ page_size: size }))).toBe(100)
  })

  test('default 25', async () => {
    expect(sizeOf(await byGet({}))).toBe(25)
    expect(sizeOf(await byGet({ page_size: '' }))).toBe(25)
    expect(sizeOf(await byPost({}))).toBe(25)
    expect(sizeOf(await byPost({ page_size: null }))).toBe(25)
  })

  test('that is no integer is refused', async () => {
    for (const size of ['ten', '1.5', '0x10', '10 ']) expect((await byGet({ page_size: size })).status).toBe(400)
    for (const size of [1.5, 'ten', true, [], {}]) expect((await byPost({ page_size: size })).status).toBe(400)
  })

  test('For list and search operations called with POST, page_size and page_token are sent in the JSON body', async () => {
    const path = '/api/v1/search/iam/personal_clients?page_size=50'
    expect(sizeOf(await ask(server, path, { token, body: {} }))).toBe(25)
    expect(sizeOf(await ask(server, path, { token, body: { pageSize: 30 } }))).toBe(30)
  })
})

test('Signed client assertion lifetime: exp within 5 minutes of now', async () => {
  const status = async (seconds: number): Promise<number> => {
    const assertion = assertionOf(key, { exp: Math.floor(nowSeconds()) + seconds })
    return (await askToken(server, byAssertion(key, assertion))).status
  }
  expect([await status(299), await status(10), await status(310), await status(-1)]).toEqual([200, 200, 401, 401])
})

test('API key lifespan choices: 30 days, 90 days, never expires', async () => {
  const own = await getToken(server, await access.makeCaller(['system:user']))
  const create = async (expires?: string): Promise<number> =>
    (await ask(server, '/api/v1/iam/personal_clients', { token: own, body: { displayName: 'x', expires } })).status
  for (const expires of ['2592000s', '7776000s', undefined]) expect(await create(expires)).toBe(200)
  for (const expires of ['2591999s', '7776001s', '31536000s']) expect(await create(expires)).toBe(400)
})

describe('Pagination rules', () => {
  const all = async (page: (pageToken: string) => Promise<Reply>): Promise<{ ids: unknown[]; tokens: string[] }> => {
    const ids: unknown[] = []
    const tokens: string[] = []
    let pageToken = ''
    do {
      const reply = await page(pageToken)
      expect(reply.status, reply.text).toBe(200)
      ids.push(...(reply.json['list'] as Json[]).map((each) => each['id']))
      pageToken = reply.json['nextPageToken'] as string
      tokens.push(pageToken)
    } while (pageToken !== '')
    return { ids, tokens }
  }

  test('1. page_token is omitted, or sent empty, on the first request', async () => {
    const [omitted, empty] = [await byGet({}), await byGet({ page_token: '' })]
    expect(empty.json['list']).toEqual(omitted.json['list'])
    const [omittedInBody, emptyInBody] = [await byPost({}), await byPost({ page_token: '' })]
    expect(emptyInBody.json['list']).toEqual(omittedInBody.json['list'])
  })

  test('2. When a response has more results than fit one page, it carries a non-empty nextPageToken, and the caller sends it as page_token', async () => {
    for (const page of [
      (pageToken: string) => byGet({ page_size: '50', page_token: pageToken }),
      (pageToken: string) => byPost({ page_size: 50, page_token: pageToken }),
    ]) {
      const { ids, tokens } = await all(page)
      expect(ids.length).toBeGreaterThanOrEqual(rows)
      expect(new Set(ids).size).toBe(ids.length)
      expect(tokens.slice(0, -1).every((each) => each !== '')).toBe(true)
    }
  })

  test('3. A response whose nextPageToken is an empty string is the last page, also when it is just full', async () => {
    const few = await access.makeUser({ roles: ['system:user'] })
    for (let i = 0; i < 10; i++) await access.makeKey(few)
    const users = [{ id: few }]
    const full = await byPost({ page_size: 10, users })
    expect([sizeOf(full), full.json['nextPageToken']]).toEqual([10, ''])
    await access.makeKey(few)
    const first = await byPost({ page_size: 10, users })
    expect(first.json['nextPageToken']).not.toBe('')
    const second = await byPost({ page_size: 10, users, page_token: first.json['nextPageToken'] })
    expect([sizeOf(second), second.json['nextPageToken']]).toEqual([1, ''])
  })

  test('4. Every request after the first must carry page_token: without it, it is the first again', async () => {
    const first = await byGet({ page_size: '10' })
    const second = await byGet({ page_size: '10', page_token: first.json['nextPageToken'] as string })
    expect(second.json['list']).not.toEqual(first.json['list'])
    expect((await byGet({ page_size: '10' })).json['list']).toEqual(first.json['list'])
  })
})

describe('Versioning', () => {
  test('The API description carries version 0.1.0-alpha', () => {
    expect((apiDocument(routes) as { info: Json }).info['version']).toBe('0.1.0-alpha')
  })

  test('The version appears in paths: /api/v1; /api/v2 for the app user owners operation', () => {
    // The address of the OAuth metadata is that of RFC 8414, which has no version.
    for (const { id, path } of routes.filter((route) => !route.path.startsWith('/.well-known/'))) {
      const version = /^\w+\.v2\./.test(id) ? 'v2' : 'v1'
      expect(path, id).toMatch(new RegExp(`^/(api|auth)/${version}/`))
    }
    const set = routes.find(({ id }) => id === 'app.v2.AppUserOwnersV2.Set')
    expect(`${set?.method} ${set?.path}`).toBe('PUT /api/v2/apps/{app_id}/users/{user_id}/owners')
    expect(new Set(routes.filter(({ path }) => path.startsWith('/api/v2/')).map(({ id }) => id.split('.')[2]))).toEqual(
      new Set([
        ...['AppOwners', 'AppEntitlementOwners', 'AppResourceOwnersV2', 'AppUserOwnersV2', 'UserOwnersV2'],
        'ConnectorOwners',
      ]),
    )
  })
})

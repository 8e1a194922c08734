import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  ApiError,
  AppNotFoundError,
  appsCreate,
  appsDelete,
  appsGet,
  appsList,
  Bailiwick,
  byAssertion,
  bySecret,
  byToken,
  InputInvalidError,
  importCreate,
  type Options,
  SignInError,
  TimedOutError,
  UnreachableError,
  userIntrospect,
  userSearch,
} from '../../client/src/index.ts'
import { type Access, type Key, openAccess } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
let access: Access
let key: Key

beforeAll(async () => {
  server = await startServer({ flags: { empty: true } })
  access = await openAccess(server)
  key = await access.makeCaller(['system:owner'])
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

type Sent = { path: string; key: string | null }

/** A client whose requests are noted, and whose replies may be lost or others. */
function open(options: Partial<Options> & { after?: (sent: Sent, count: number) => Response | 'lost' | null } = {}) {
  const { after = () => null, ...rest } = options
  const sent: Sent[] = []
  const client = new Bailiwick({
    url: server.url,
    signIn: bySecret(key),
    fetch: async (url, init) => {
      const path = new URL(url as string).pathname
      const one = { path, key: new Headers(init?.headers).get('idempotency-key') }
      sent.push(one)
      const reply = await fetch(url, init)
      const other = after(one, sent.filter((each) => each.path === path).length)
      if (other === 'lost') {
        await reply.text()
        throw new TypeError('fetch failed')
      }
      return other ?? reply
    },
    ...rest,
  })
  return { client, sent, count: (path: string) => sent.filter((each) => each.path === path).length }
}
const tokens = '/auth/v1/token'
const apps = '/api/v1/apps'
const failing = (status: number, headers: Record<string, string> = {}): Response =>
  new Response('not ours', { status, headers })

describe('a client', () => {
  test.each([
    ['its secret', () => bySecret(key)],
    ['an assertion, with which the secret stays at home', () => byAssertion(key)],
  ])('signs in by %s, and asks for one token for all of its requests', async (_, signIn) => {
    const { client, count } = open({ signIn: signIn() })
    const replies = await Promise.all([1, 2, 3].map(() => client.call(userIntrospect, {})))
    expect(replies.map(({ userView }) => userView?.user?.id)).toEqual([key.userId, key.userId, key.userId])
    expect(count(tokens)).toBe(1)
  })

  test('takes the address of the tenant from the credential, and says where there is none', () => {
    const signIn = bySecret({ clientId: 'abc@access.example.com/pcc', clientSecret: '' })
    expect(new Bailiwick({ signIn }).url).toBe('https://access.example.com')
    expect(() => new Bailiwick({ signIn: byToken('abc') })).toThrow('the address of the tenant is missing')
  })

  test('renews its token before it expires, and once more where the server refuses it', async () => {
    let asked = 0
    const living = (token: string | null, seconds: number) =>
      open({
        fetch: async (url, init) => {
          if (!(url as string).endsWith(tokens)) return fetch(url, init)
          asked += 1
          const reply = (await (await fetch(url, init)).json()) as { access_token: string }
          return Response.json({ access_token: token ?? reply.access_token, expires_in: seconds })
        },
      }).client
    const short = living(null, 0)
    for (let n = 0; n < 3; n++) await short.call(userIntrospect, {})
    expect(asked).toBe(3)
    const refused = living('nonsense', 600).call(userIntrospect, {})
    await expect(refused).rejects.toMatchObject({ status: 401, reason: 'TOKEN_INVALID' })
    expect(asked).toBe(5)
  })

  test('whose credential is refused says so in the words of the server', async () => {
    const { client } = open({ signIn: bySecret({ ...key, clientSecret: 'secret-token:x:abc' }) })
    const error = await client.call(userIntrospect, {}).catch((each: unknown) => each)
    expect(error).toBeInstanceOf(SignInError)
    expect(error).toMatchObject({ status: 401, error: 'invalid_client' })
  })

  test('reads lists page by page, or item by item, by GET and by POST', async () => {
    const { client, count } = open()
    const names = Array.from({ length: 12 }, (_, n) => `Listed ${n}`)
    for (const displayName of names) await client.call(appsCreate, { body: { displayName } })
    const listed: string[] = []
    for await (const app of client.items(appsList, { query: { page_size: 10 } })) listed.push(app.displayName)
    expect(listed.filter((name) => name.startsWith('Listed'))).toEqual(names)
    expect(count(apps)).toBe(names.length + 2)
    for (let n = 0; n < 11; n++) await access.makeUser()
    const sizes: number[] = []
    for await (const page of client.pages(userSearch, { body: { pageSize: 10 } })) sizes.push(page.list.length)
    expect(sizes.length).toBeGreaterThanOrEqual(2)
    expect(sizes.slice(0, -1).every((size) => size === 10)).toBe(true)
    // Whoever has seen enough asks for no more.
    const before = count('/api/v1/search/users')
    for await (const _ of client.items(userSearch, { body: { pageSize: 10 } })) break
    expect(count('/api/v1/search/users')).toBe(before + 1)
  })

  test('throws refusals as classes by their reason, with all that the API said', async () => {
    const { client } = open()
    const gone = await client.call(appsGet, { path: { id: 'no such/app' } }).catch((error: unknown) => error)
    expect(gone).toBeInstanceOf(AppNotFoundError)
    expect(gone).toBeInstanceOf(ApiError)
    expect(gone).toMatchObject({ name: 'AppNotFoundError', status: 404, reason: 'APP_NOT_FOUND' })
    expect((gone as ApiError).requestId).not.toBe('')
    const wrong = await client.call(appsCreate, { body: { displayName: '' } }).catch((error: unknown) => error)
    expect(wrong).toBeInstanceOf(InputInvalidError)
    expect((wrong as ApiError).violations).toMatchObject([{ field: 'displayName' }])
  })

  test('sends files', async () => {
    const { client } = open()
    const file = new Blob(['{"kind":"odd"}\n'], { type: 'application/x-ndjson' })
    const refused = await client.call(importCreate, { query: { dry_run: true }, file }).catch((each: unknown) => each)
    expect(refused).toMatchObject({ reason: 'IMPORT_REFUSED' })
  })
})

describe('a request that fails in passing', () => {
  test('and changes something is repeated with its key: what was done is done once', async () => {
    const { client, sent } = open({ after: ({ path }, n) => (path === apps && n === 1 ? 'lost' : null) })
    const { app } = await client.call(appsCreate, { body: { displayName: 'Made once' } })
    const keys = sent.filter(({ path }) => path === apps).map((each) => each.key)
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
    const rows = await server.db`select app_id as id from apps where display_name = 'Made once'`
    expect(rows).toEqual([{ id: app?.id }])
  })

  test('is repeated with the key of the caller by a later run of the program too', async () => {
    const body = { displayName: 'Made once by a key' }
    const idempotencyKey = 'run-7'
    const first = await open().client.call(appsCreate, { body }, { idempotencyKey })
    const second = await open().client.call(appsCreate, { body }, { idempotencyKey })
    expect(second.app?.id).toBe(first.app?.id)
  })

  test('waits as long as the server says, and is given up after so many times', async () => {
    const slow = open({ after: (_, n) => (n === 2 ? failing(503, { 'retry-after': '1' }) : null) })
    await slow.client.call(userIntrospect, {})
    const notBefore = performance.now() + 900
    await slow.client.call(appsList, {})
    await slow.client.call(appsList, {})
    expect(performance.now()).toBeGreaterThan(notBefore)
    const dead = open({ after: ({ path }) => (path === apps ? failing(502) : null), repeatsMax: 2 })
    await expect(dead.client.call(appsList, {})).rejects.toMatchObject({ status: 502, reason: '' })
    expect(dead.count(apps)).toBe(3)
    const long = open({ after: ({ path }) => (path === apps ? failing(429, { 'retry-after': '600' }) : null) })
    await expect(long.client.call(appsList, {})).rejects.toMatchObject({ status: 429, retryAfterSeconds: 600 })
    expect(long.count(apps)).toBe(1)
  })

  test('is not retried if it is refused permanently, or if retries are turned off', async () => {
    const { client, count } = open()
    await client.call(appsDelete, { path: { id: 'none' } }).catch(() => {})
    expect(count(`${apps}/none`)).toBe(1)
    const once = open({ after: ({ path }) => (path === apps ? 'lost' : null), repeatsMax: 0 })
    const lost = once.client.call(appsCreate, { body: { displayName: 'Lost' } })
    await expect(lost).rejects.toBeInstanceOf(UnreachableError)
    expect(once.sent.filter(({ path }) => path === apps)).toEqual([{ path: apps, key: null }])
  })

  test('goes without a key where the server keeps as many as it does', async () => {
    const body = { code: 8, message: 'full', details: [{ '@type': 'x', reason: 'IDEMPOTENCY_KEYS_TOO_MANY' }] }
    const { client, sent } = open({
      fetch: async (url, init) =>
        new Headers(init?.headers).has('idempotency-key') ? Response.json(body, { status: 429 }) : fetch(url, init),
    })
    expect(sent).toEqual([])
    await client.call(appsCreate, { body: { displayName: 'Without a key' } })
    await client.call(appsCreate, { body: { displayName: 'Without a key either' } })
    const [row] = await server.db`select count(*) as count from apps where display_name like 'Without a key%'`
    expect(row).toEqual({ count: 2 })
  })
})

describe('a server', () => {
  const listen = async (handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
    const other = createServer(handle).listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    onTestFinished(() => {
      other.closeAllConnections()
      other.close()
    })
    return `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  }

  test('that sends a client elsewhere does not learn from there what the client knows', async () => {
    const heard: string[] = []
    const elsewhere = await listen((request, response) => {
      heard.push(`${request.headers.authorization}`)
      response.end('{}')
    })
    const url = await listen((_, response) => response.writeHead(307, { location: `${elsewhere}/api/v1/apps` }).end())
    const client = new Bailiwick({ url, signIn: byToken('abc'), repeatsMax: 0 })
    await expect(client.call(appsList, {})).rejects.toBeInstanceOf(UnreachableError)
    const signing = new Bailiwick({ url, signIn: bySecret(key), repeatsMax: 0 })
    await expect(signing.call(appsList, {})).rejects.toBeInstanceOf(UnreachableError)
    expect(heard).toEqual([])
  })

  test('that does not answer is waited for as long as was said, or until the caller stops', async () => {
    const url = await listen(() => {})
    const client = new Bailiwick({ url, signIn: byToken('abc'), timeoutMs: 50, repeatsMax: 0 })
    const error = await client.call(appsList, {}).catch((each: unknown) => each)
    expect(error).toBeInstanceOf(TimedOutError)
    expect(String(error)).toContain('did not respond within 0.05 seconds')
    const patient = new Bailiwick({ url, signIn: byToken('abc') })
    await expect(patient.call(appsList, {}, { signal: AbortSignal.timeout(50) })).rejects.toThrow(/timeout|aborted/i)
  })
})

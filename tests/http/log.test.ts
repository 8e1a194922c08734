import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../fixture/server.ts'
import { ask, loggedFor } from './client.ts'
import { testRoutes, thrown } from './routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ extraRoutes: testRoutes })
})
afterAll(() => server.stop())

const fail = (error: unknown) => {
  thrown.error = error
  return ask(`${server.url}/test/fail`, { method: 'POST' })
}

describe('a bug', () => {
  test('leaves as a bare 500 that tells nothing of it, while the log tells all', async () => {
    const reply = await fail(Object.assign(new Error('the tables have turned'), { code: 'TURNED', query: 'select 1' }))
    expect(reply).toMatchObject({ status: 500, headers: { 'content-type': 'application/json' } })
    expect(JSON.parse(reply.text)).toEqual({
      code: 13,
      message: 'Internal server error. The x-request-id header identifies this request in the server log.',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'INTERNAL',
          domain: 'bailiwick',
          metadata: {},
        },
      ],
    })
    const [bug, request] = await loggedFor(server, reply)
    expect(bug).toMatchObject({ level: 'error', err: { message: 'the tables have turned', code: 'TURNED' } })
    expect(JSON.stringify(bug?.['err'])).toContain('log.test.ts')
    expect(JSON.stringify(bug)).not.toContain('select 1')
    expect(request).toMatchObject({ level: 'info', status: 500, path: '/test/fail' })
  })

  test.each([['a word'], [undefined], [null], [42], [{ code: 'ODD' }], [new TypeError()]])(
    'that throws %j is a bare 500 all the same',
    async (error) => {
      const reply = await fail(error)
      expect(reply.status).toBe(500)
      expect(JSON.parse(reply.text)).toMatchObject({ code: 13, details: [{ reason: 'INTERNAL' }] })
      expect((await loggedFor(server, reply)).map(({ level }) => level)).toEqual(['error', 'info'])
    },
  )

  test('does not take the server down for others', async () => {
    expect((await ask(`${server.url}/healthz`)).status).toBe(200)
    expect((await ask(`${server.url}/readyz`)).status).toBe(200)
  })
})

const jwt = `eyJhbGciOiJFZERTQSJ9.${'eyJzdWIiOiJhIn0'.repeat(3)}.${'c2lnbmF0dXJl'.repeat(4)}`
const secret = 'Tq8rXy2vNwLkPzM4'

test.each([
  ['a client secret', `secret-token:bailiwick.internal:${secret}`],
  ['a client secret with a version', `secret-token:bailiwick.internal:v1:${secret}`],
  ['a token', jwt],
  ['an Authorization header', `Authorization: Bearer ${secret}`],
  ['an Authorization header in small letters', `authorization: bearer ${secret}`],
  ['a database URL', `postgres://bailiwick:${secret}@db.example/bailiwick`],
  ['a database URL in its long form', `postgresql://bailiwick:${secret}@db.example:5432/bailiwick?sslmode=require`],
  ['a database URL with an at sign in its password', `postgres://bailiwick:odd@${secret}@db.example/bailiwick`],
  ['a private key', `{"kty":"OKP","crv":"Ed25519","d":"${secret}${secret}${secret}","x":"public"}`],
])('%s in an error is struck out of the log, message and stack', async (_, words) => {
  const reply = await fail(new Error(`cannot do this with ${words} today`))
  const [bug] = await loggedFor(server, reply)
  const line = JSON.stringify(bug)
  expect(line).not.toContain(secret)
  expect(line).not.toContain('c2lnbmF0dXJl')
  expect(line).toContain('[redacted]')
  expect(line).toContain('cannot do this with')
  expect(line).toContain('today')
})

describe('the line of a request', () => {
  test('has its id, method, path, status, time, host and source, and never its query', async () => {
    const reply = await ask(`${server.url}/test/things/one?page_token=${secret}&x=y`, {
      headers: { authorization: `Bearer ${secret}`, cookie: secret, host: 'localhost:8080' },
    })
    const lines = await loggedFor(server, reply)
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
        requestId: reply.headers['x-request-id'],
        method: 'GET',
        path: '/test/things/one',
        status: 200,
        ms: expect.any(Number) as unknown,
        host: 'localhost:8080',
        from: '127.0.0.1',
      },
    ])
  })

  test('has no query for what is refused before it is routed either', async () => {
    const reply = await ask(`${server.url}/%ZZ?token=${secret}`)
    expect((await loggedFor(server, reply))[0]).toMatchObject({ path: '/%ZZ', status: 400 })
    expect(JSON.stringify(await loggedFor(server, reply))).not.toContain(secret)
  })
})

describe('a request id', () => {
  const get = (id: string) => ask(`${server.url}/healthz`, { headers: { 'x-request-id': id } })

  test.each([['01234567'], ['a-b_c.D-9'], ['f47ac10b-58cc-4372-a567-0e02b2c3d479'], ['x'.repeat(64)]])(
    'of the caller is kept when it is harmless: %s',
    async (id) => {
      expect((await get(id)).headers['x-request-id']).toBe(id)
    },
  )

  test.each([
    ['short'],
    ['x'.repeat(65)],
    ['with blanks in it'],
    ['<script>alert(1)</script>'],
    ['"},{"level":"error'],
    ['ünïcödé-id'],
  ])('of the caller is replaced when it is not: %s', async (id) => {
    const given = (await get(Buffer.from(id).toString('latin1'))).headers['x-request-id']
    expect(given).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('is another for each request', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => ask(`${server.url}/healthz`)))
    expect(new Set(ids.map(({ headers }) => headers['x-request-id'])).size).toBe(20)
  })
})

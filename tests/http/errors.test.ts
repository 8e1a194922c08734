import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../fixture/server.ts'
import { ask, askJson, expectRefusal, type Reply, talk } from './client.ts'
import { testRoutes } from './routes.ts'

let server: TestServer
let echo: string
beforeAll(async () => {
  server = await startServer({ extraRoutes: testRoutes })
  echo = `${server.url}/test/echo`
})
afterAll(() => server.stop())

const malformed = { status: 400, code: 3, reason: 'BODY_MALFORMED' }
const tooLarge = { status: 413, code: 3, reason: 'BODY_TOO_LARGE' }
const wrongType = { status: 415, code: 3, reason: 'CONTENT_TYPE_UNSUPPORTED' }
const noRoute = { status: 404, code: 5, reason: 'ROUTE_NOT_FOUND' }
const noTenant = { status: 404, code: 5, reason: 'TENANT_NOT_FOUND' }
const noMethod = { status: 405, code: 12, reason: 'METHOD_NOT_ALLOWED' }
const notHttp = { status: 400, code: 3, reason: 'REQUEST_MALFORMED' }
const mebibyte = 1024 * 1024

const isHealthy = async (): Promise<void> => {
  expect((await askJson(echo, '{"someText":"still here"}')).text).toContain('still here')
}

describe('a body', () => {
  test.each([
    ['text that is not JSON', 'secret-word'],
    ['JSON cut short', '{"someText":"secret-word"'],
    ['JSON with a word too many', '{"someText":"secret-word"} secret-word'],
    ['single quotes', "{'someText':'secret-word'}"],
    ['a comma too many', '{"secret-word":1,}'],
    ['blanks', '   '],
    ['a byte order mark before the rest', '\u{feff}{"someText":"x"} secret-word'],
    ['an array', '["secret-word"]'],
    ['a string', '"secret-word"'],
    ['a number', '42'],
    ['true', 'true'],
    ['null', 'null'],
  ])('that is %s is refused, and not repeated', async (_, body) => {
    const reply = await askJson(echo, body)
    await expectRefusal(server, reply, malformed)
    expect(reply.text).not.toMatch(/secret|word/)
    expect(JSON.stringify(server.logged)).not.toContain('secret-word')
  })

  test('that is not UTF-8 is refused', async () => {
    await expectRefusal(server, await askJson(echo, Buffer.from('{"someText":"\xff\xfe"}', 'latin1')), malformed)
  })

  test.each([
    ['{}', '{}', 'application/json'],
    ['empty', '', 'application/json'],
    ['empty, as text', '', 'text/plain'],
    ['empty, as a form', '', 'application/x-www-form-urlencoded'],
    ['empty, of no possible type', '', 'of no possible type'],
  ])('that is %s is an empty message', async (_, body, type) => {
    const reply = await askJson(echo, body, { headers: { 'content-type': type } })
    expect(reply).toMatchObject({ status: 200 })
    expect(JSON.parse(reply.text)).toMatchObject({ someText: '', names: [], part: null })
  })

  test.each([[{}], [{ 'content-type': 'text/plain' }], [{ 'content-type': 'application/json' }]])(
    'that is missing is an empty message, with the headers %j',
    async (headers) => {
      expect(await ask(echo, { method: 'POST', headers })).toMatchObject({ status: 200 })
      const chunked = { ...headers, 'transfer-encoding': 'chunked' }
      expect(await ask(echo, { method: 'POST', headers: chunked })).toMatchObject({ status: 200 })
    },
  )

  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['application/jsonish'],
    ['application/xml; application/json'],
    ['nothing like a type'],
  ])('sent as %s is refused', async (type) => {
    await expectRefusal(server, await askJson(echo, '{}', { headers: { 'content-type': type } }), wrongType)
  })

  test('sent without saying as what is refused', async () => {
    await expectRefusal(server, await ask(echo, { method: 'POST', body: '{}' }), wrongType)
  })

  test.each([['application/json; charset=utf-8'], ['APPLICATION/JSON'], ['application/json;charset=UTF-8']])(
    'sent as %s is taken',
    async (type) => {
      const reply = await askJson(echo, '{"someText":"ü"}', { headers: { 'content-type': type } })
      expect(JSON.parse(reply.text)).toMatchObject({ someText: 'ü' })
    },
  )

  const bodyOf = (bytes: number): string => `{"someText":"${'x'.repeat(bytes - 15)}"}`

  test.each([[false], [true]])('of exactly 1 MiB is taken (chunked: %s)', async (chunked) => {
    const reply = await askJson(echo, bodyOf(mebibyte), { chunked })
    expect(reply.status).toBe(200)
    expect(reply.text.length).toBeGreaterThan(mebibyte)
  })

  test.each([[false], [true]])('of one byte more is refused (chunked: %s)', async (chunked) => {
    await expectRefusal(server, await askJson(echo, bodyOf(mebibyte + 1), { chunked }), tooLarge)
  })

  test.each([
    ['by its length', false, 'keep-alive'],
    ['by its length, on a connection to be closed', false, 'close'],
    ['in chunks', true, 'keep-alive'],
    ['in chunks, on a connection to be closed', true, 'close'],
  ])('of 2 MiB, %s, is refused in words that arrive', async (_, chunked, connection) => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => askJson(echo, bodyOf(2 * mebibyte), { chunked, headers: { connection } })),
    )
    for (const reply of replies) await expectRefusal(server, reply, tooLarge)
    await isHealthy()
  })

  test.each([
    '/auth/v1/sign_in/link',
    '/auth/v1/sign_in/invitation',
    '/auth/v1/sign_in/passkey',
    '/auth/v1/sign_in/oidc',
  ])('of a stranger is refused beyond 64 KiB: %s', async (path) => {
    const sent = (bytes: number) =>
      askJson(`${server.url}${path}`, bodyOf(bytes), {
        headers: { origin: server.url, 'x-bailiwick-console': '1' },
      })
    await expectRefusal(server, await sent(64 * 1024 + 1), tooLarge)
    expect((await sent(64 * 1024)).status).not.toBe(413)
  })

  test('of 2 MiB that nobody takes is refused in words that arrive', async () => {
    const big = { body: bodyOf(2 * mebibyte), headers: { connection: 'close' } }
    const url = `${server.url}/nowhere`
    await expectRefusal(server, await askJson(url, big.body, big), noRoute)
    const asText = { connection: 'close', 'content-type': 'text/plain' }
    await expectRefusal(server, await askJson(echo, big.body, { headers: asText }), wrongType)
    const elsewhere = { connection: 'close', host: 'elsewhere.example' }
    await expectRefusal(server, await askJson(echo, big.body, { headers: elsewhere }), noTenant)
  })

  test('that was refused does not cost the connection, and the next request is answered', async () => {
    const request = (body: string) =>
      `POST /test/echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    const socketReply = await talk(
      server.url,
      `${request('{')}\r\n{${request('{"someText":"next"}')}Connection: close\r\n\r\n{"someText":"next"}`,
    )
    expect(socketReply.status).toBe(400)
    expect(socketReply.text).toMatch(/HTTP\/1\.1 200 OK[^]*"someText":"next"/)
  })

  test('that breaks off troubles nobody else', async () => {
    const others = Array.from({ length: 5 }, () => ask(`${server.url}/test/wait?ms=300`))
    for (let n = 0; n < 5; n++) {
      await new Promise((resolve) => {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => {
          socket.write('POST /test/echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n')
          socket.write('Content-Length: 1000\r\n\r\n{"someText":', () => setTimeout(() => socket.resetAndDestroy(), 20))
        })
        socket.on('close', resolve)
      })
    }
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    await isHealthy()
    expect(server.logged.filter(({ level }) => level !== 'info')).toEqual([])
  })

  test('is taken with DELETE, and ignored with GET', async () => {
    const deleted = await askJson(`${server.url}/test/things/one`, '{"told":"why"}', { method: 'DELETE' })
    expect(JSON.parse(deleted.text)).toEqual({ told: 'why' })
    const got = await askJson(`${server.url}/test/things/one`, 'whatever', { method: 'GET' })
    expect(got.status).toBe(200)
    expect((await ask(`${server.url}/test/things/one`, { method: 'DELETE' })).status).toBe(200)
  })

  test('with wrong fields is refused with each of them named', async () => {
    const reply = await askJson(echo, '{"some_text":1,"is_on":"x","part":{"part_name":[]},"names":["a",2]}')
    const fields = ['someText', 'isOn', 'names[1]', 'part.partName']
    await expectRefusal(server, reply, { status: 400, code: 3, reason: 'INPUT_INVALID', fields })
  })
})

describe('a host', () => {
  const get = (host: string): Promise<Reply> => ask(`${server.url}/test/things/one`, { headers: { host } })

  test.each([
    ['localhost'],
    ['LOCALHOST'],
    ['LocalHost:1234'],
    ['localhost.'],
    ['localhost.:8080'],
    ['127.0.0.1'],
    ['127.0.0.1:99'],
    ['[::1]'],
    ['[::1]:8080'],
  ])('%s is the tenant of this machine', async (host) => {
    expect((await get(host)).status).toBe(200)
  })

  test.each([['elsewhere.example'], ['localhost.example'], ['127.0.0.2']])('%s is unknown', async (host) => {
    await expectRefusal(server, await get(host), noTenant)
  })

  test('that is empty is unknown', async () => {
    const reply = await talk(server.url, 'GET /docs HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n')
    await expectRefusal(server, reply, noTenant)
  })
})

describe('an address', () => {
  test.each([
    ['/nowhere'],
    ['/api/v1/nothing'],
    ['/test/echo/'],
    ['/TEST/echo'],
    ['/test/things/'],
    ['/test/things/a/b'],
  ])('%s where nothing is, is a 404', async (path) => {
    expect(await expectRefusal(server, await ask(server.url + path), noRoute)).toBe('There is nothing at this path.')
    await expectRefusal(server, await askJson(server.url + path, '{"not json'), noRoute)
  })

  test.each([
    ['POST', '/test/things/one', 'GET, HEAD, DELETE'],
    ['OPTIONS', '/test/things/one', 'GET, HEAD, DELETE'],
    ['TRACE', '/test/things/one', 'GET, HEAD, DELETE'],
    ['PROPFIND', '/test/things/one', 'GET, HEAD, DELETE'],
    ['QUERY', '/test/things/one', 'GET, HEAD, DELETE'],
    // Where another path has a parameter: only what is there itself.
    ['PUT', '/test/things/sorted', 'POST'],
    ['GET', '/test/things/sorted', 'POST'],
    ['HEAD', '/test/things/sorted', 'POST'],
    ['DELETE', '/test/things/sorted', 'POST'],
    ['GET', '/api/v1/policies/plan', 'POST'],
    ['DELETE', '/api/v1/apps/a/connectors/create', 'POST'],
    ['GET', '/test/echo?x=1', 'POST'],
    ['HEAD', '/test/echo', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['DELETE', '/docs', 'GET, HEAD'],
    ['PUT', '/api/openapi.json', 'GET, HEAD'],
  ])('does not take %s at %s', async (method, path, allow) => {
    const reply = await ask(server.url + path, { method })
    expect(reply).toMatchObject({ status: 405, headers: { allow } })
    // What answers HEAD has no body.
    await expectRefusal(server, method === 'HEAD' ? await ask(server.url + path) : reply, noMethod)
  })

  test('does not take a method that nobody has heard of', async () => {
    const reply = await talk(server.url, 'FROB /test/echo HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await expectRefusal(server, reply, noMethod)
    expect(reply.headers.allow).toContain('GET')
  })

  test('with a wrong method is a 405, whatever the body is', async () => {
    const reply = await ask(`${server.url}/test/things/one`, { method: 'PUT', body: 'x'.repeat(2 * mebibyte) })
    await expectRefusal(server, reply, noMethod)
  })

  test.each([['/test/things/%ZZ'], ['/test/things/%'], ['/test/things/%E0%A4%A'], ['/nowhere%ff%fe']])(
    'with a wrong percent-encoding, %s, is refused',
    async (path) => {
      await expectRefusal(server, await ask(server.url + path), { status: 400, code: 3, reason: 'URL_MALFORMED' })
    },
  )

  test('with U+0000 in a parameter is refused, naming the parameter', async () => {
    const reply = await ask(`${server.url}/test/things/a%00b`)
    await expectRefusal(server, reply, { status: 400, code: 3, reason: 'INPUT_INVALID', fields: ['thing_id'] })
  })

  test('with an over-long parameter is a 404', async () => {
    expect((await ask(`${server.url}/test/things/${'x'.repeat(200)}`)).status).toBe(200)
    await expectRefusal(server, await ask(`${server.url}/test/things/${'x'.repeat(5000)}`), noRoute)
  })

  test('may be given whole', async () => {
    const reply = await talk(
      server.url,
      'GET http://localhost/test/things/one HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    )
    expect(reply.status).toBe(200)
  })

  test('parameter may hold any other text', async () => {
    const reply = await ask(`${server.url}/test/things/${encodeURIComponent("ü/%?#'; drop table users --")}`)
    expect(JSON.parse(reply.text)).toMatchObject({ freeForm: { thing: "ü/%?#'; drop table users --" } })
  })
})

describe('a query', () => {
  test.each([
    ['count=1.5', ['count']],
    ['count=many&is_on=perhaps', ['isOn', 'count']],
    ['some_text=a&some_text=b', ['someText']],
    ['some_text=%00', ['someText']],
  ])('%s is refused, naming the field', async (query, fields) => {
    const reply = await ask(`${server.url}/test/things/one?${query}`)
    await expectRefusal(server, reply, { status: 400, code: 3, reason: 'INPUT_INVALID', fields })
  })

  test.each([
    ['constructor=1'],
    ['__proto__=1'],
    ['toString=1&has_own_property=2'],
    ['%ZZ=%ZZ'],
    ['&&=&=='],
    ['a[b]=c'],
  ])('%s has nothing to do with any field', async (query) => {
    expect(await ask(`${server.url}/test/things/one?${query}`)).toMatchObject({ status: 200 })
  })
})

describe('what is hardly HTTP', () => {
  test.each([
    ['garbage', 'garbage\r\n\r\n'],
    ['bytes', Buffer.from([0x16, 0x03, 0x01, 0x00, 0xa5, 0x01, 0x00])],
    ['a header without a colon', 'GET /docs HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n'],
    ['two lengths', 'POST /test/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'a length and chunks, as request smugglers send them',
      'POST /test/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a version that does not exist', 'GET /docs HTTP/9.9\r\nHost: localhost\r\n\r\n'],
  ])('%s is refused on the bare socket', async (_, bytes) => {
    await expectRefusal(server, await talk(server.url, bytes), notHttp)
    await isHealthy()
  })

  test('headers that are too large are refused', async () => {
    const reply = await talk(server.url, `GET /docs HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`)
    await expectRefusal(server, reply, { status: 431, code: 3, reason: 'HEADERS_TOO_LARGE' })
  })

  test('an expectation that nobody knows is ignored', async () => {
    expect((await ask(`${server.url}/test/things/one`, { headers: { expect: 'miracles' } })).status).toBe(200)
    expect((await askJson(echo, '{}', { headers: { expect: '100-continue' } })).status).toBe(200)
  })
})

test('nothing of all this was a server error, and nothing was logged as more than information', () => {
  expect(server.logged.filter((line) => (line['status'] as number) >= 500)).toEqual([])
  expect(server.logged.filter(({ level }) => level !== 'info')).toEqual([])
})

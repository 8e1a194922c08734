import { readFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../fixture/server.ts'
import { ask, expectRefusal, talk } from './client.ts'
import { testRoutes } from './routes.ts'

let server: TestServer
let secure: TestServer
beforeAll(async () => {
  server = await startServer({ extraRoutes: testRoutes })
  secure = await startServer({ extraRoutes: testRoutes, beside: server, flags: { 'tls-self-signed': true } })
})
afterAll(async () => {
  await secure.stop()
  await server.stop()
})

const malformed = { status: 400, code: 3, reason: 'HOST_INVALID' }
const get = (lines: string, target = '/docs', version = '1.1') =>
  talk(server.url, `GET ${target} HTTP/${version}\r\n${lines}\r\n`)

describe('by HTTP/1.1', () => {
  test.each([
    ['no Host header', '/docs', ''],
    ['no Host header, where any host is answered', '/healthz', ''],
    ['two Host headers', '/docs', 'Host: localhost\r\nHost: elsewhere.example\r\n'],
    ['the same Host header twice', '/docs', 'Host: localhost\r\nhOsT: localhost\r\n'],
    ['two Host headers, where any host is answered', '/healthz', 'Host: a\r\nHost: b\r\n'],
    ['a path for a host', '/docs', 'Host: localhost/x\r\n'],
    ['user information', '/docs', 'Host: someone@localhost\r\n'],
    ['two ports', '/docs', 'Host: localhost:80:90\r\n'],
    ['a port that is not a number', '/docs', 'Host: localhost:http\r\n'],
    ['an IPv6 address without brackets', '/docs', 'Host: ::1\r\n'],
    ['a space', '/docs', 'Host: a b\r\n'],
    ['letters beyond ASCII', '/docs', 'Host: \xfc\r\n'],
    ['a list', '/docs', 'Host: localhost, elsewhere.example\r\n'.replace(', ', ' ,')],
    ['another host in the target', 'http://elsewhere.example/docs', 'Host: localhost\r\n'],
    ['another port in the target', 'http://localhost:81/docs', 'Host: localhost:80\r\n'],
    ['a target with user information', 'http://a@localhost/docs', 'Host: localhost\r\n'],
  ])('%s is a 400, and the connection is closed', async (_name, target, lines) => {
    // `talk` answers only once the server has closed.
    const reply = await get(lines, target)
    await expectRefusal(server, reply, malformed)
    expect(reply.headers.connection).toBe('close')
  })

  test('a target that is a whole URL is served as its path is', async () => {
    const reply = await get('Host: localhost\r\nConnection: close\r\n', 'http://LOCALHOST/test/things/one?count=3')
    expect(reply).toMatchObject({ status: 200 })
    expect(JSON.parse(reply.text)).toMatchObject({ count: 3, freeForm: { thing: 'one' } })
    expect((await get('Host: localhost\r\nConnection: close\r\n', 'http://localhost')).text).toContain(
      '/api/openapi.json',
    )
  })

  test('HTTP/1.0 needs no Host header: health checks send none', async () => {
    expect(await get('', '/healthz', '1.0')).toMatchObject({ status: 200, text: '{"status":"ok"}' })
    expect((await get('', '/docs', '1.0')).status).toBe(404)
  })

  test.each([
    [
      'a length and chunks',
      'POST /test/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'chunks and a length',
      'POST /test/echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
    ],
    [
      'an unknown coding',
      'POST /test/echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a coding after chunks',
      'POST /test/echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    ],
    [
      'chunks in HTTP/1.0',
      'POST /test/echo HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a length with a sign', 'POST /test/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: +5\r\n\r\n12345'],
    ['two lengths in one', 'POST /test/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5, 5\r\n\r\n12345'],
    [
      'a chunk size that is none',
      'POST /test/echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\n12345\r\n0\r\n\r\n',
    ],
    [
      'a chunk without its end',
      'POST /test/echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345GET / HTTP/1.1\r\n\r\n',
    ],
    ['a folded header', 'GET /docs HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n c: d\r\n\r\n'],
    ['a header before the first', 'GET /docs HTTP/1.1\r\n Host: localhost\r\n\r\n'],
    ['a space before the colon', 'GET /docs HTTP/1.1\r\nHost : localhost\r\n\r\n'],
    ['a NUL in a header', 'GET /docs HTTP/1.1\r\nHost: localhost\r\nX-A: \0\r\n\r\n'],
    ['a bare CR', 'GET /docs HTTP/1.1\r\nHost: localhost\r\nX-A: b\rX-B: c\r\n\r\n'],
    ['a header without a name', 'GET /docs HTTP/1.1\r\nHost: localhost\r\n: b\r\n\r\n'],
    ['another version', 'GET /docs HTTP/3.7\r\nHost: localhost\r\n\r\n'],
  ])('%s is a 400, and the connection is closed', async (_name, bytes) => {
    const reply = await talk(server.url, `${bytes}GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    expect([reply.status, reply.headers.connection]).toEqual([400, 'close'])
    // One answer: nothing after it was taken for a request of its own.
    expect(reply.text).not.toContain('HTTP/1.1')
  })

  test('headers of more than 16 KiB are a 431, and the connection is closed', async () => {
    const reply = await get(`Host: localhost\r\nX-A: ${'a'.repeat(20_000)}\r\n`)
    expect([reply.status, reply.headers.connection]).toEqual([431, 'close'])
  })
})

describe('by HTTP/2', () => {
  type Reply2 = { headers: Record<string, unknown>; text: string; endsWithHeaders: boolean }
  const ask2 = (headers: Record<string, string>, body?: Buffer, keepOpen = false): Promise<Reply2> => {
    const ca = readFileSync(join(secure.config.dataDir, 'tls-cert.pem'))
    const session = connectHttp2(secure.url, { ca })
    return new Promise<Reply2>((resolve, reject) => {
      session.on('error', reject)
      const stream = session.request({ ':path': '/docs', ...headers }, { endStream: body === undefined && !keepOpen })
      const reply: Reply2 = { headers: {}, text: '', endsWithHeaders: false }
      stream.on('response', (given, flags) => {
        reply.headers = given
        reply.endsWithHeaders = (flags & 1) === 1
      })
      stream.setEncoding('utf8').on('data', (text: string) => (reply.text += text))
      stream.on('error', reject)
      stream.on('close', () => resolve(reply))
      if (body) stream.end(body)
    }).finally(() => session.destroy())
  }

  test('another Host header than :authority is a 400', async () => {
    const { headers, text } = await ask2({ ':authority': 'localhost', host: 'elsewhere.example' })
    expect(headers[':status']).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ code: 3, details: [{ reason: 'HOST_INVALID' }] })
  })

  test.each([['localhost/x'], ['someone@localhost']])('the :authority %s ends the stream', async (authority) => {
    await expect(ask2({ ':authority': authority })).rejects.toThrow('PROTOCOL_ERROR')
  })

  test('the same Host header as :authority is served', async () => {
    expect((await ask2({ ':authority': 'localhost', host: 'LOCALHOST' })).headers[':status']).toBe(200)
  })

  const grpc = {
    ':method': 'POST',
    'content-type': 'application/grpc',
    te: 'trailers',
    ':path': '/c1.api.app.v1.Apps/List',
  }
  test.each([
    ['an address that is not there', {}],
    ['another of its content types', { 'content-type': 'application/grpc+proto' }],
    ['an address that takes JSON', { ':path': '/test/echo' }],
    ['an address that takes GET', { ':path': '/docs' }],
  ])('gRPC to %s gets trailers only, with the status 12', async (_name, headers) => {
    const reply = await ask2({ ...grpc, ...headers }, Buffer.from([0, 0, 0, 0, 0]))
    expect(reply.headers).toMatchObject({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '12' })
    expect([reply.text, reply.endsWithHeaders]).toEqual(['', true])
  })

  test('gRPC whose request goes on is answered, and told to stop', async () => {
    const reply = await ask2(grpc, undefined, true)
    expect(reply.headers).toMatchObject({ ':status': 200, 'grpc-status': '12' })
  })

  test('gRPC to a host of nobody gets the status of a 404', async () => {
    const reply = await ask2({ ...grpc, ':authority': 'elsewhere.example' }, Buffer.from([0, 0, 0, 0, 0]))
    expect(reply.headers).toMatchObject({ ':status': 200, 'grpc-status': '5' })
  })
})

test('/ tells a program where to look, and is the console for a browser', async () => {
  const reply = await ask(`${server.url}/`, { headers: { accept: '*/*' } })
  expect(reply).toMatchObject({ status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' } })
  for (const address of ['/docs', '/api/openapi.json', 'web browser']) expect(reply.text).toContain(address)
  expect((await ask(`${server.url}/?x=1`)).text).toBe(reply.text)
  expect((await ask(`${server.url}/`, { method: 'HEAD' })).status).toBe(200)
  const page = await ask(`${server.url}/`, { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect((await ask(`${server.url}/`, { headers: { host: 'elsewhere.example' } })).status).toBe(404)
  expect((await ask(`${server.url}/`, { method: 'POST' })).status).toBe(404)
})

import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepCertificate } from '#http/certificate.ts'
import { anyone, route } from '#kernel/routes.ts'
import { message, text as textShape } from '#kernel/wire.ts'
import { openAccess } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { startServer, type TestServer, type TestServerOptions } from '../fixture/server.ts'
import { type Asked, expectRefusal, type Reply } from './client.ts'
import { testRoutes } from './routes.ts'

let server: TestServer
let ca: string
const sessions: ClientHttp2Session[] = []

const start = (more: TestServerOptions = {}) =>
  startServer({ extraRoutes: testRoutes, ...more, flags: { 'tls-self-signed': true, ...more.flags } })
const certificateOf = ({ config }: TestServer): string => readFileSync(join(config.dataDir, 'tls-cert.pem'), 'utf8')

beforeAll(async () => {
  server = await start({ limits: { strangers: { network: 100_000, all: 1_000_000 } } })
  ca = certificateOf(server)
})
afterAll(async () => {
  for (const session of sessions) session.destroy()
  await server.stop()
})

function ask1(url: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, ca, agent: false }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      incoming.on('end', () => resolve({ status: incoming.statusCode as number, headers: incoming.headers, text }))
    })
    outgoing.on('error', reject).end(body)
  })
}

function open2(url: string): ClientHttp2Session {
  const session = connectHttp2(url, { ca })
  session.on('error', () => {})
  sessions.push(session)
  return session
}

function ask2(
  session: ClientHttp2Session,
  path: string,
  { method = 'GET', headers = {}, body }: Asked = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: body === undefined })
    let text = ''
    let replied = {} as Record<string, unknown>
    stream.on('response', (given) => (replied = given))
    stream.setEncoding('utf8').on('data', (chunk) => (text += chunk))
    stream.on('error', reject)
    stream.on('end', () =>
      resolve({ status: replied[':status'] as number, headers: replied as Reply['headers'], text }),
    )
    if (body !== undefined) stream.end(body)
  })
}

test('HTTP/1.1 and HTTP/2 are served on the same port, by a certificate that can be trusted', async () => {
  expect(server.url).toMatch(/^https:\/\/localhost:\d+$/)
  const one = await ask1(`${server.url}/test/things/one`)
  const session = open2(server.url)
  const two = await ask2(session, '/test/things/one')
  expect(session.alpnProtocol).toBe('h2')
  expect([one.status, two.status]).toEqual([200, 200])
  expect(two.text).toBe(one.text)
  for (const reply of [one, two])
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json',
      'strict-transport-security': 'max-age=31536000',
    })
  expect((await ask1(`${server.url.replace('localhost', '127.0.0.1')}/readyz`)).status).toBe(200)
})

test('HEAD answers by HTTP/2 as GET does, without the body', async () => {
  const session = open2(server.url)
  for (const path of ['/test/things/one', '/auth/v1/jwks', '/readyz', '/docs']) {
    const [get, head] = [await ask2(session, path), await ask2(session, path, { method: 'HEAD' })]
    expect([path, head.status, head.text]).toEqual([path, get.status, ''])
    expect(head.headers['content-type']).toBe(get.headers['content-type'])
  }
})

test('bodies, refusals and many requests at once are the same by HTTP/2', async () => {
  const session = open2(server.url)
  const json = { 'content-type': 'application/json' }
  const post = (body: string, headers: Record<string, string> = json): Promise<Reply> =>
    ask2(session, '/test/echo', { method: 'POST', headers, body })
  const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => post(`{"count":${n}}`)))
  expect(replies.map(({ text }) => (JSON.parse(text) as { count: number }).count)).toEqual([...Array(50).keys()])
  await expectRefusal(server, await post('{'), { status: 400, code: 3, reason: 'BODY_MALFORMED' })
  await expectRefusal(server, await post('{}', { 'content-type': 'text/plain' }), {
    status: 415,
    code: 3,
    reason: 'CONTENT_TYPE_UNSUPPORTED',
  })
  await expectRefusal(server, await post('{}', {}), { status: 415, code: 3, reason: 'CONTENT_TYPE_UNSUPPORTED' })
  const big = `{"someText":"${'x'.repeat(2 * 1024 * 1024)}"}`
  await expectRefusal(server, await post(big), { status: 413, code: 3, reason: 'BODY_TOO_LARGE' })
  await expectRefusal(server, await post(big, { ...json, 'content-length': String(big.length) }), {
    status: 413,
    code: 3,
    reason: 'BODY_TOO_LARGE',
  })
  await expectRefusal(server, await ask2(session, '/nowhere'), { status: 404, code: 5, reason: 'ROUTE_NOT_FOUND' })
  await expectRefusal(server, await ask2(session, '/%ZZ'), { status: 400, code: 3, reason: 'URL_MALFORMED' })
  await expectRefusal(server, await ask2(session, '/docs', { headers: { ':authority': 'elsewhere.example' } }), {
    status: 404,
    code: 5,
    reason: 'TENANT_NOT_FOUND',
  })
  for (const method of ['DELETE', 'TRACE', 'FROB']) {
    const reply = await ask2(session, '/docs', { method })
    await expectRefusal(server, reply, { status: 405, code: 12, reason: 'METHOD_NOT_ALLOWED' })
    expect(reply.headers.allow).toBe('GET, HEAD')
  }
  expect((await ask2(session, '/test/echo', { method: 'POST' })).status).toBe(200)
  expect((await ask2(session, '/healthz')).status).toBe(200)
  expect(server.logged.filter(({ level }) => level !== 'info')).toEqual([])
})

test.each([
  ['the API', '/api/v1/apps', 401],
  ['SCIM', '/scim/v2/some-directory/Users', 401],
  ['an upload', '/api/v1/imports', 401],
  ['the address of a callback', `/api/v1/webhooks/callback/${'x'.repeat(43)}`, 404],
  ['no route', '/nowhere', 404],
])('a stranger is refused by the headers, before anything of the body has come: %s', async (_name, path, status) => {
  const session = open2(server.url)
  for (const more of [{}, { 'content-length': '900000' }]) {
    const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/json', ...more }
    const stream = session.request(headers, { endStream: false })
    const told = await new Promise((resolve, reject) => {
      stream.on('response', (given) => resolve(given[':status'])).on('error', reject)
    })
    expect(told).toBe(status)
  }
})

test('of bodies that strangers are sending, a network has so many bytes at once', async () => {
  const session = open2(server.url)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = `grant_type=${'x'.repeat(60_000)}`
  const first = session.request({ ':method': 'POST', ':path': '/auth/v1/token', ...headers }, { endStream: false })
  first.on('error', () => {})
  first.write(body)
  // Also where another endpoint, and another connection, is asked.
  const ask = () => ask2(open2(server.url), '/auth/v1/revoke', { method: 'POST', headers, body })
  await until(async () => (await ask()).status === 429)
  first.close(8)
  await until(async () => (await ask()).status === 400)
})

test('a stream that breaks off troubles nobody else', async () => {
  const session = open2(server.url)
  const waiting = ask2(session, '/test/wait?ms=200')
  const stream = session.request({ ':method': 'POST', ':path': '/test/echo', 'content-type': 'application/json' })
  stream.on('error', () => {})
  stream.write('{"someText":')
  // What is asked after it on the same session is answered once it has come.
  await ask2(session, '/healthz')
  stream.close(8)
  const other = open2(server.url)
  const lost = other.request({ ':method': 'POST', ':path': '/test/echo', 'content-type': 'application/json' })
  lost.on('error', () => {})
  lost.write('{')
  await ask2(other, '/healthz')
  other.destroy()
  expect((await waiting).status).toBe(200)
  expect(server.logged.filter(({ level }) => level !== 'info')).toEqual([])
})

test('what speaks no TLS is cut off without a word, and the server goes on', async () => {
  const port = Number(new URL(server.url).port)
  for (const bytes of ['GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', '\x16\x03\x01\x00\x05garbage', 'x'.repeat(1000)])
    await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
      socket.on('error', () => {}).on('close', resolve)
      socket.resume()
    })
  expect((await ask1(`${server.url}/healthz`)).status).toBe(200)
  expect(server.logged.filter(({ level }) => level !== 'info')).toEqual([])
})

test("the certificate names the tenants' hosts, is kept, and is made anew for a new tenant's host", async () => {
  const first = new X509Certificate(ca)
  for (const host of ['localhost']) expect(first.checkHost(host)).toBe(host)
  for (const address of ['127.0.0.1', '::1']) expect(first.checkIP(address)).toBe(address)
  expect(first.checkHost('acme.example')).toBeUndefined()
  expect(first.ca).toBe(false)
  expect(first.validToDate.getTime() - Date.now()).toBeLessThan(825 * 86_400_000)
  expect(server.serving.newCertificate).toBe(join(server.config.dataDir, 'tls-cert.pem'))
  expect(statSync(join(server.config.dataDir, 'tls-key.pem')).mode & 0o777).toBe(0o600)

  const again = await start({ beside: server })
  expect(again.serving.newCertificate).toBeNull()
  expect(certificateOf(again)).toBe(ca)
  await again.stop()

  const access = await openAccess(server)
  for (const domain of ['acme.example:8443', '[2001:db8::7]:8443']) await access.makeTenant(domain)
  await access.close()
  const anew = await start({ beside: server })
  expect(anew.serving.newCertificate).not.toBeNull()
  const second = new X509Certificate(certificateOf(anew))
  expect(second.checkHost('acme.example')).toBe('acme.example')
  expect(second.checkHost('localhost')).toBe('localhost')
  expect(second.checkIP('2001:db8::7')).toBe('2001:db8::7')
  await anew.stop()
})

test('a certificate of the operator is served as it is', async () => {
  const { cert, certFile } = await keepCertificate(join(server.config.dataDir, 'own'), ['localhost'], new Date())
  const keyFile = certFile.replace('cert', 'key')
  const own = await startServer({ beside: server, flags: { 'tls-cert': certFile, 'tls-key': keyFile } })
  const previous = ca
  ca = cert
  expect((await ask1(`${own.url}/healthz`)).status).toBe(200)
  expect((await ask2(open2(own.url), '/healthz')).status).toBe(200)
  ca = previous
  await expect(ask1(`${own.url}/healthz`)).rejects.toThrow(/self-signed certificate/)
  await own.stop()
})

test('a certificate that expires soon is replaced', async () => {
  const folder = join(server.config.dataDir, 'ending')
  const made = await keepCertificate(folder, ['localhost'], new Date())
  expect(made.isNew).toBe(true)
  const later = (days: number) => new Date(Date.now() + days * 86_400_000)
  expect(await keepCertificate(folder, ['localhost'], later(700))).toMatchObject({ isNew: false, cert: made.cert })
  expect(await keepCertificate(folder, ['localhost'], later(800))).toMatchObject({ isNew: true })
})

test('a server with open HTTP/2 sessions stops: what is under way is finished, and new streams are refused', async () => {
  const gate = Promise.withResolvers<void>()
  const held = route({
    id: 'test.v1.Test.Held',
    at: 'GET /test/held',
    summary: 'Waits until it is let go.',
    allow: anyone,
    reply: message('TestHeld', { told: textShape() }),
    handle: async () => {
      await gate.promise
      return { told: 'waited' }
    },
  })
  const stopping = await start({ beside: server, extraRoutes: [...testRoutes, held] })
  ca = certificateOf(stopping)
  const idle = open2(stopping.url)
  await ask2(idle, '/healthz')
  const busy = open2(stopping.url)
  const waiting = ask2(busy, '/test/held')
  const oldFashioned = ask1(`${stopping.url}/test/held`)
  const metrics = async (): Promise<string> => (await fetch(stopping.serving.metricsUrl as string)).text()
  await until(async () => /^bailiwick_http_requests_running 2$/m.test(await metrics()))
  const stopped = stopping.stop()
  gate.resolve()
  await stopped
  expect(await waiting).toMatchObject({ status: 200, text: '{"told":"waited"}' })
  expect(await oldFashioned).toMatchObject({ status: 200 })
  await until(() => idle.closed && busy.closed)
})

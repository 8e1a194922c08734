import { readFileSync } from 'node:fs'
import { connect } from 'node:http2'
import { request } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Access, openAccess } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { byLink, makeToken } from './support.ts'

let server: TestServer
let access: Access
let ca: string
let origin: string
beforeAll(async () => {
  server = await startServer({ flags: { 'tls-self-signed': true } })
  access = await openAccess(server)
  ca = readFileSync(join(server.config.dataDir, 'tls-cert.pem'), 'utf8')
  origin = `https://localhost:${new URL(server.url).port}`
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

type Reply = { status: number; cookies: string[] }
type Ask = (method: string, path: string, headers: Record<string, string>, body?: string) => Promise<Reply>

const byHttp1: Ask = (method, path, headers, body) =>
  new Promise((resolve, reject) => {
    const outgoing = request(`${origin}${path}`, { method, headers, ca, agent: false }, (incoming) => {
      incoming.resume()
      resolve({ status: incoming.statusCode as number, cookies: incoming.headers['set-cookie'] ?? [] })
    })
    outgoing.on('error', reject).end(body)
  })

const byHttp2: Ask = (method, path, headers, body) =>
  new Promise((resolve, reject) => {
    const session = connect(origin, { ca }).on('error', reject)
    const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: body === undefined })
    stream.on('response', (given) => {
      resolve({ status: given[':status'] as number, cookies: given['set-cookie'] ?? [] })
      session.close()
    })
    stream.on('error', reject).resume()
    if (body !== undefined) stream.end(body)
  })

test.each([
  ['HTTP/1.1', byHttp1],
  ['HTTP/2', byHttp2],
])('by HTTPS, over %s, the cookie is Secure and bound to the host, and it is honoured', async (_, ask) => {
  const token = await makeToken(access, await access.makeUser())
  const page = { origin, 'x-bailiwick-console': '1', 'content-type': 'application/json' }
  const signedIn = await ask('POST', byLink, page, JSON.stringify({ token }))
  expect(signedIn.status).toBe(200)
  expect(signedIn.cookies[0]).toMatch(/^__Host-bailiwick=[\w.-]{75}; Path=\/; Max-Age=604800; .*; Secure$/)
  const [cookie = ''] = (signedIn.cookies[0] ?? '').split(';')
  expect((await ask('GET', '/api/v1/auth/session', { cookie })).status).toBe(200)
  // The name that plain HTTP uses is not taken by HTTPS: anyone on the way could have set it.
  expect((await ask('GET', '/api/v1/auth/session', { cookie: cookie.replace('__Host-', '') })).status).toBe(401)
  const plain = { ...page, origin: origin.replace('https', 'http') }
  expect((await ask('POST', '/auth/v1/sign_out', { ...plain, cookie }, '{}')).status).toBe(403)
  expect((await ask('POST', '/auth/v1/sign_out', { ...page, cookie }, '{}')).status).toBe(200)
  expect((await ask('GET', '/api/v1/auth/session', { cookie })).status).toBe(401)
})

import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { authIntrospect, Bailiwick, byAssertion, byDevice, bySecret, SignInError } from '../../client/src/index.ts'
import { type Access, type Key, openAccess } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { type Browser, signIn } from '../sessions/support.ts'

let server: TestServer
let access: Access
let key: Key
let person: Browser
beforeAll(async () => {
  server = await startServer({ flags: { empty: true } })
  access = await openAccess(server)
  key = await access.makeCaller(['system:viewer'])
  person = await signIn(server, access, await access.makeUser({ roles: ['system:user'] }))
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

type Sent = { path: string; authorization: string | null; dpop: string | null }

/** `fetch`, and what was sent by it. */
function watched(around: (send: () => Promise<Response>) => Promise<Response> = (send) => send()) {
  const sent: Sent[] = []
  const own: typeof fetch = (url, init) => {
    const headers = new Headers(init?.headers)
    const path = new URL(url as string).pathname
    sent.push({ path, authorization: headers.get('authorization'), dpop: headers.get('dpop') })
    return around(() => fetch(url, init))
  }
  return { sent, own }
}

test('with dpop each request has a proof of its own, of one key, and the token is of no use without it', async () => {
  for (const by of [bySecret, byAssertion]) {
    const { sent, own } = watched()
    const client = new Bailiwick({ url: server.url, signIn: by(key, { dpop: true }), fetch: own })
    for (const _ of [1, 2]) expect((await client.call(authIntrospect, {})).principleId).toBe(key.clientId)
    expect(sent.map(({ path }) => path)).toEqual([
      '/auth/v1/token',
      '/api/v1/auth/introspect',
      '/api/v1/auth/introspect',
    ])
    expect(new Set(sent.map(({ dpop }) => dpop)).size).toBe(3)
    expect(new Set(sent.map(({ dpop }) => dpop?.split('.')[0])).size).toBe(1)
    const token = sent[1]?.authorization?.replace('DPoP ', '')
    const stolen = await fetch(`${server.url}/api/v1/auth/introspect`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(stolen.status).toBe(401)
  }
})

test('a client whose clock is an hour behind is given a nonce, and goes on with it', async () => {
  onTestFinished(() => void vi.useRealTimers())
  const real = Date.now.bind(Date)
  const behind = (): void => void vi.useFakeTimers({ toFake: ['Date'], now: real() - 3_600_000 })
  const { sent, own } = watched(async (send) => {
    // The server has the right time.
    vi.useRealTimers()
    const reply = await send()
    behind()
    return reply
  })
  behind()
  const client = new Bailiwick({ url: server.url, signIn: bySecret(key, { dpop: true }), fetch: own })
  expect((await client.call(authIntrospect, {})).principleId).toBe(key.clientId)
  expect((await client.call(authIntrospect, {})).principleId).toBe(key.clientId)
  // The token request twice; with the nonce of that everything else at the first attempt.
  expect(sent.map(({ path }) => path.split('/').at(-1))).toEqual(['token', 'token', 'introspect', 'introspect'])
})

test('a server that answers with a bearer token where a bound one was asked for is not believed', async () => {
  const own: typeof fetch = async () => Response.json({ access_token: 'x', token_type: 'Bearer', expires_in: 600 })
  const client = new Bailiwick({ url: server.url, signIn: bySecret(key, { dpop: true }), fetch: own })
  await expect(client.call(authIntrospect, {})).rejects.toThrow('not bound by DPoP')
})

test('a sign-in by a code that is denied, or stopped, is thrown', async () => {
  const decide = (as: string) => async (code: { userCode: string }) => {
    await person.ask(`/api/v1/auth/device_requests/${as}`, { body: { userCode: code.userCode } })
  }
  const quick: typeof fetch = async (url, init) => {
    const reply = await fetch(url, init)
    if (!(url as string).endsWith('device_authorization')) return reply
    return Response.json({ ...((await reply.json()) as object), interval: 0.05 })
  }
  const options = { url: server.url, clientId: 'a-tool', fetch: quick }
  const error = await byDevice({ ...options, show: decide('deny') }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SignInError)
  expect((error as SignInError).error).toBe('access_denied')
  const stop = new AbortController()
  const waiting = byDevice({ ...options, show: () => stop.abort(new Error('stopped')), signal: stop.signal })
  await expect(waiting).rejects.toThrow('stopped')
  await expect(byDevice({ ...options, roles: ['none'], show: () => {} })).rejects.toThrow('scope must be ids of roles')
  const client = new Bailiwick({ url: server.url, signIn: await byDevice({ ...options, show: decide('approve') }) })
  expect((await client.call(authIntrospect, {})).principleId).toMatch(/\/device$/)
})

import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { setOidc } from '#rooms/identity/sessions/index.ts'
import { type Access, encodePart, type Json, newAddress, openAccess, type Reply } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { type Browser, openBrowser, sessionIn } from './support.ts'

/** A provider that says whatever it is told to. */
let http: Server
let issuer: string
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
let signingKey: KeyObject = keys.privateKey
let claims: Json = {}
let authorizationEndpoint: string | null = null

let server: TestServer
let access: Access
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
  http = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    const bodies: Record<string, () => object> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: authorizationEndpoint ?? `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
      '/jwks': () => ({
        keys: [{ ...keys.publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' }],
      }),
      '/token': () => {
        const signed = `${encodePart({ alg: 'RS256', kid: 'one' })}.${encodePart(claims)}`
        const proof = sign('sha256', Buffer.from(signed), signingKey).toString('base64url')
        return { access_token: 'x', token_type: 'Bearer', id_token: `${signed}.${proof}` }
      },
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(bodies[pathname]?.() ?? {}))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  issuer = `http://localhost:${(http.address() as AddressInfo).port}`
  const wanted = { issuer, clientId: 'bailiwick', clientSecret: null }
  const cause = operatorCause(access.tenant, 'test')
  await transact(access.world.db, (tx) => setOidc(tx, access.world, cause, wanted))
  await access.makeUser({ email: 'ada@example.com' })
})
afterAll(async () => {
  await new Promise((resolve) => http.close(resolve))
  await access.close()
  await server.stop()
})

/** Signs in with an ID token of these claims; where it leads. */
async function tryWith(
  changed: Json,
  answer: Record<string, string> = {},
  { body = {}, browser = openBrowser(server, { from: newAddress() }) }: { body?: Json; browser?: Browser } = {},
): Promise<string> {
  const { url } = (await browser.ask('/auth/v1/sign_in/oidc', { body })).json as { url: string }
  const asked = new URL(url).searchParams
  const seconds = Math.floor(Date.now() / 1000)
  claims = {
    iss: issuer,
    aud: 'bailiwick',
    sub: 'ada',
    exp: seconds + 300,
    iat: seconds,
    nonce: asked.get('nonce'),
    email: 'ada@example.com',
    email_verified: true,
    ...changed,
  }
  const query = new URLSearchParams({ code: 'x', state: asked.get('state') as string, ...answer })
  const reply: Reply = await browser.ask(`/auth/v1/oidc/callback?${query}`)
  return `${reply.status} ${reply.headers.location}`
}

test('an ID token is believed only as it should be: issuer, audience, party, nonce, times, signature', async () => {
  expect(await tryWith({})).toBe('303 /')
  expect(await tryWith({ azp: 'bailiwick' })).toBe('303 /')
  expect(await tryWith({ aud: ['bailiwick', 'other'], azp: 'bailiwick' })).toBe('303 /')
  const refused = '303 /sign-in?error=OIDC_UNREACHABLE'
  for (const changed of [
    { aud: 'other' },
    { aud: ['other', 'another'] },
    { aud: ['bailiwick', 'other'] },
    { aud: ['bailiwick', 'other'], azp: 'other' },
    { azp: 'other' },
    { iss: 'https://evil.example.com' },
    { nonce: 'another' },
    { nonce: undefined },
    { exp: Math.floor(Date.now() / 1000) - 600 },
    { exp: undefined },
    { sub: undefined },
    { sub: '' },
  ])
    expect(await tryWith(changed), JSON.stringify(changed)).toBe(refused)
  expect(await tryWith({}, { iss: 'https://evil.example.com' })).toBe(refused)
  signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  expect(await tryWith({})).toBe(refused)
  signingKey = keys.privateKey
  expect(await tryWith({})).toBe('303 /')
})

test('a sign-in counts as recent from when the provider asked for it; to confirm it must be now', async () => {
  const now = () => Math.floor(Date.now() / 1000)
  const untilOf = async (auth_time: unknown): Promise<number> => {
    const browser = openBrowser(server, { from: newAddress() })
    expect(await tryWith({ auth_time }, {}, { browser })).toBe('303 /')
    const { createdAt, freshUntil } = sessionIn(await browser.ask('/api/v1/auth/session')) as Record<string, string>
    return (Date.parse(freshUntil as string) - Date.parse(createdAt as string)) / 60_000
  }
  expect(await untilOf(undefined)).toBe(15)
  expect(Math.round(await untilOf(now() - 600))).toBe(5)
  expect(await untilOf(now() - 9 * 3600)).toBe(0)
  expect(await untilOf(now() + 9 * 3600)).toBe(15)
  expect(await tryWith({ auth_time: 'yesterday' })).toBe('303 /sign-in?error=OIDC_UNREACHABLE')

  const userId = await access.makeUser({ email: 'ada-2@example.com' })
  const confirming = (auth_time: unknown): Promise<string> =>
    tryWith({ sub: 'ada-2', email: 'ada-2@example.com', auth_time }, {}, { body: { userId } })
  expect(await confirming(now() - 600)).toBe('303 /sign-in?error=OIDC_NOT_RECENT')
  expect(await confirming(now())).toBe('303 /')
  // A provider that does not say, although the standard wants it to: as for every sign-in.
  expect(await confirming(undefined)).toBe('303 /')
})

test('the browser is led to no authorization endpoint that is not a web address', async () => {
  const wanted = { issuer, clientId: 'bailiwick', clientSecret: null }
  const cause = operatorCause(access.tenant, 'test')
  // Set again, the provider is another one, whose metadata is fetched again.
  const set = () => transact(access.world.db, (tx) => setOidc(tx, access.world, cause, wanted))
  for (const endpoint of ['javascript:alert(1)//', 'data:text/html,x', 'file:///etc/passwd']) {
    authorizationEndpoint = endpoint
    await set()
    const reply = await openBrowser(server, { from: newAddress() }).ask('/auth/v1/sign_in/oidc', { body: {} })
    expect(reply.status, endpoint).toBe(400)
  }
  authorizationEndpoint = null
  await set()
  expect(await tryWith({})).toBe('303 /')
})

test('a subject is compared as it is, letter by letter', async () => {
  const subjects = ['Ada', 'ada ', 'a'.repeat(300), createHash('sha256').update('x').digest('hex')]
  for (const sub of subjects) expect(await tryWith({ sub }), sub).toBe('303 /sign-in?error=EMAIL_LINKED')
})

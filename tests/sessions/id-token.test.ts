import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { setOidc } from '#rooms/identity/sessions/index.ts'
import { type Access, encodePart, type Json, newAddress, openAccess, type Reply } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { openBrowser } from './support.ts'

/** A provider that says whatever it is told to. */
let http: Server
let issuer: string
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
let signingKey: KeyObject = keys.privateKey
let claims: Json = {}

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
        authorization_endpoint: `${issuer}/authorize`,
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
async function tryWith(changed: Json, answer: Record<string, string> = {}): Promise<string> {
  const browser = openBrowser(server, { from: newAddress() })
  const { url } = (await browser.ask('/auth/v1/sign_in/oidc', { body: {} })).json as { url: string }
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

test('a subject is compared as it is, letter by letter', async () => {
  const subjects = ['Ada', 'ada ', 'a'.repeat(300), createHash('sha256').update('x').digest('hex')]
  for (const sub of subjects) expect(await tryWith({ sub }), sub).toBe('303 /sign-in?error=EMAIL_LINKED')
})

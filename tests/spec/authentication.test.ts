import { createPublicKey, sign, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiDocument } from '#http/openapi.ts'
import { builtInRoles } from '#rooms/identity/roles/index.ts'
import { checkClaims } from '#rooms/identity/tokens/assertion.ts'
import { routes } from '#server/registry/routes.ts'
import {
  type Access,
  ask,
  askToken,
  assertionOf,
  byAssertion,
  bySecret,
  claimsOf,
  encodePart,
  eventually,
  getToken,
  hostIn,
  type Json,
  jwkIn,
  type Key,
  newAddress,
  nowSeconds,
  openAccess,
  outcomeOf,
  privateKeyIn,
  type Reply,
  tokenClaims,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

/** The lines of "Authentication" in the specification, each under its own words. */

let server: TestServer
let access: Access
let key: Key
let token: string
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
  key = await access.makeCaller(['system:owner'])
  token = await getToken(server, key)
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const clients = '/api/v1/iam/personal_clients'
type Created = { client: Json; clientSecret: string }
const create = async (body: Json): Promise<Created> => {
  const reply = await ask(server, clients, { token, body })
  expect(reply.status, reply.text).toBe(200)
  return reply.json as Created
}
const keyOf = ({ client, clientSecret }: Created): Key => ({
  id: client['id'] as string,
  userId: client['userId'] as string,
  clientId: client['clientId'] as string,
  clientSecret,
})

test('Scheme: HTTP bearer token obtained through OAuth 2.0 with the client credentials flow. The OAuth scopes object is empty.', () => {
  const { components } = apiDocument(routes) as { components: { securitySchemes: Record<string, Json> } }
  const schemes = Object.values(components.securitySchemes)
  expect(schemes).toContainEqual(expect.objectContaining({ type: 'http', scheme: 'bearer' }))
  const oauth = schemes.find((scheme) => scheme['type'] === 'oauth2')
  expect(oauth?.['flows']).toEqual({ clientCredentials: { tokenUrl: '/auth/v1/token', scopes: {} } })
})

describe('API credentials', () => {
  test('An API credential is created by a user in the user’s API settings: it is that user’s own', async () => {
    const basic = await access.makeCaller(['system:user'])
    const reply = await ask(server, clients, { token: await getToken(server, basic), body: { displayName: 'Mine' } })
    expect((reply.json['client'] as Json)['userId']).toBe(basic.userId)
  })

  test('Name: descriptive text', async () => {
    for (const name of ['Nightly export', 'Überprüfung – 監査 🔑', 'x'.repeat(200)])
      expect((await create({ displayName: name })).client['displayName']).toBe(name)
  })

  test.each([
    ['30 days', '2592000s', 30],
    ['90 days', '7776000s', 90],
    ['never expires', undefined, null],
  ])('Lifespan: %s', async (_, expires, days) => {
    const { client } = await create({ displayName: 'x', expires })
    const until = days && new Date(Date.parse(client['createdAt'] as string) + days * 86_400_000).toISOString()
    expect(client['expiresTime']).toBe(until)
  })

  test('Lifespan: nothing else', async () => {
    for (const expires of ['1s', '86400s', '5184000s', '7776001s', '315360000s'])
      expect((await ask(server, clients, { token, body: { displayName: 'x', expires } })).status).toBe(400)
  })

  test('Allowed IPs: optional, one or more CIDR blocks limiting the source IPs that may use the key', async () => {
    const anywhere = keyOf(await create({ displayName: 'x' }))
    const one = keyOf(await create({ displayName: 'x', allowSourceCidr: ['203.0.113.0/24'] }))
    const two = keyOf(await create({ displayName: 'x', allowSourceCidr: ['203.0.113.0/24', '2001:db8::/32'] }))
    const status = async (of: Key, from: string): Promise<number> =>
      (await askToken(server, bySecret(of), { from })).status
    for (const from of ['203.0.113.1', '192.0.2.1', '2001:db8::1']) expect(await status(anywhere, from)).toBe(200)
    expect(await status(one, '203.0.113.1')).toBe(200)
    expect(await status(one, '192.0.2.1')).toBe(401)
    expect(await status(two, '2001:db8::1')).toBe(200)
    expect(await status(two, '203.0.113.200')).toBe(200)
    expect(await status(two, '2001:db9::1')).toBe(401)
  })

  test('Scope: Full Permissions, or a selection of specific roles', async () => {
    const scopedRoles = [await access.roleId('system:user'), await access.roleId('system:system-logs-reader')]
    const permissionsOf = async (of: Created): Promise<unknown> =>
      (await ask(server, '/api/v1/auth/introspect', { token: await getToken(server, keyOf(of)) })).json['permissions']
    const own = (await ask(server, '/api/v1/auth/introspect', { token })).json['permissions']
    expect(await permissionsOf(await create({ displayName: 'x' }))).toEqual(own)
    expect(await permissionsOf(await create({ displayName: 'x', scopedRoles }))).toEqual(
      [...builtInRoles['system:user'].permissions, 'systemlog.read'].toSorted(),
    )
  })

  test('Creation yields a Client ID and a Client Secret', async () => {
    const created = await create({ displayName: 'x' })
    expect(created.client['clientId']).toEqual(expect.any(String))
    expect(created.clientSecret).toEqual(expect.any(String))
    await getToken(server, keyOf(created))
  })

  test('The Client Secret is displayed once only', async () => {
    const created = await create({ displayName: 'Once' })
    const { id } = keyOf(created)
    const replies = [
      await ask(server, `${clients}/${id}`, { token }),
      await ask(server, `${clients}?page_size=100`, { token }),
      await ask(server, `/api/v1/search${clients.slice('/api/v1'.length)}`, { token, body: { query: 'Once' } }),
      await ask(server, `${clients}/${id}`, { token, body: { client: { displayName: 'Twice' } } }),
      await ask(server, '/api/v1/systemlog/events', { token, body: { pageSize: 100 } }),
    ]
    for (const { status, text } of replies) {
      expect(status, text).toBe(200)
      expect(text).toContain(id)
      expect(text).not.toContain(created.clientSecret.split(':').at(-1))
      expect(text).not.toContain(jwkIn(created.clientSecret).d)
      expect(text).not.toMatch(/clientSecret|secret-token:/)
    }
  })

  test('The credential list shows name, Client ID, expiration date (if any), granted scope, created-on date and last-used date', async () => {
    const scopedRoles = [await access.roleId('system:viewer')]
    const created = await create({ displayName: 'Listed', expires: '2592000s', scopedRoles })
    const forever = await create({ displayName: 'Listed too' })
    await getToken(server, keyOf(created))
    const row = async (of: Created): Promise<Json | undefined> => {
      const { json } = await ask(server, `${clients}?page_size=100`, { token })
      return (json['list'] as Json[]).find((each) => each['id'] === of.client['id'])
    }
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown
    expect(await eventually(async () => (await row(created))?.['lastUsedAt'] !== null)).toBe(true)
    expect(await row(created)).toMatchObject({
      displayName: 'Listed',
      clientId: created.client['clientId'],
      expiresTime: time,
      scopedRoles,
      createdAt: time,
      lastUsedAt: time,
    })
    expect(await row(forever)).toMatchObject({ expiresTime: null, scopedRoles: [], createdAt: time, lastUsedAt: null })
  })

  test('Client ID format: <random_id>@<hostname>/<use_case>', async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => keyOf(await create({ displayName: 'x' })).clientId),
    )
    for (const id of ids) expect(id).toMatch(/^[0-9a-z]{16,}@localhost\/pcc$/)
    expect(new Set(ids.map((id) => id.split('@')[0])).size).toBe(5)
    const tenant = await access.makeTenant('Acme.example.com:8443')
    const elsewhere = await access.makeCaller(['system:user'], {}, tenant)
    expect(elsewhere.clientId).toMatch(/^[0-9a-z]{16,}@acme\.example\.com:8443\/pcc$/)
  })

  test('Client Secret format: secret-token:<service_domain>:<base64url-encoded JWK>. The JWK holds an ed25519 private key', async () => {
    const created = await create({ displayName: 'x' })
    const [scheme, domain, encoded, ...more] = created.clientSecret.split(':')
    expect([scheme, domain, more]).toEqual(['secret-token', 'bailiwick.internal', []])
    expect(encoded).toMatch(/^[A-Za-z0-9_-]+$/)
    const jwk = JSON.parse(Buffer.from(encoded as string, 'base64url').toString()) as Json
    expect(jwk).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      x: expect.stringMatching(/^[\w-]{43}$/) as string,
      d: expect.stringMatching(/^[\w-]{43}$/) as string,
    })
    // Existing clients decode it without padding: its length must stay a multiple of three bytes.
    expect(encoded).toHaveLength(172)
    // The public key in it fits the private one, and is the one that the service keeps.
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: jwk['x'] as string }, format: 'jwk' })
    const signature = sign(null, Buffer.from('x'), privateKeyIn(created.clientSecret))
    expect(verify(null, Buffer.from('x'), publicKey, signature)).toBe(true)
    const [row] = await server.db<{ kept: Buffer }[]>`
      select public_key as kept from credentials where credential_id = ${created.client['id'] as string}`
    expect(row?.kept.equals(publicKey.export({ type: 'spki', format: 'der' }))).toBe(true)
  })

  test('The hostname is the part of the Client ID between @ and /. The token endpoint is https://<hostname>/auth/v1/token. The API root is https://<hostname>/api/v1', async () => {
    const tenant = await access.makeTenant('hosted.example.com')
    const own = await access.makeCaller(['system:user'], {}, tenant)
    const hostname = own.clientId.slice(own.clientId.indexOf('@') + 1, own.clientId.lastIndexOf('/'))
    expect(hostname).toBe('hosted.example.com')
    const reply = await askToken(server, bySecret(own), { host: hostname })
    expect(reply.status).toBe(200)
    const bearer = reply.json['access_token'] as string
    const introspected = await ask(server, '/api/v1/auth/introspect', { host: hostname, token: bearer })
    expect(introspected.json['principleId']).toBe(own.clientId)
  })
})

const form = 'application/x-www-form-urlencoded'
const post = (fields: Record<string, string>, type = form): Promise<Reply> =>
  askToken(server, fields, { from: newAddress(), headers: { 'content-type': type } })

describe('Obtaining an access token', () => {
  test('Both methods: POST to the token endpoint with Content-Type application/x-www-form-urlencoded', async () => {
    for (const fields of [bySecret(key), byAssertion(key, assertionOf(key))]) {
      expect((await post(fields)).status).toBe(200)
      expect((await post(fields, 'application/json')).status).toBe(415)
      const get = `/auth/v1/token?${new URLSearchParams(fields).toString()}`
      expect((await ask(server, get)).status).toBe(405)
    }
  })

  test('Client credentials are sent in the body, not in headers', async () => {
    const basic = Buffer.from(`${key.clientId}:${key.clientSecret}`).toString('base64')
    const reply = await askToken(server, 'grant_type=client_credentials', {
      headers: { authorization: `Basic ${basic}` },
    })
    expect(reply.status).toBe(400)
    expect(reply.json['error']).toBe('invalid_request')
  })

  test('Basic: grant_type=client_credentials; client_id=<client_id>; client_secret=<client_secret>', async () => {
    const fields = {
      grant_type: 'client_credentials',
      client_id: key.clientId,
      client_secret: key.clientSecret,
    }
    expect((await post(fields)).status).toBe(200)
    for (const name of Object.keys(fields)) {
      const less = Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name))
      expect((await post(less)).json['error']).toBe('invalid_request')
    }
  })

  test('Signed client assertion: grant_type=client_credentials; client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer; client_id=<client_id>; client_assertion=<signed_jwt>', async () => {
    const fields = {
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_id: key.clientId,
      client_assertion: assertionOf(key),
    }
    expect((await post(fields)).status).toBe(200)
    for (const name of Object.keys(fields)) {
      const less = Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name))
      expect((await post(less)).json['error']).toBe('invalid_request')
    }
  })

  test('Success response (JSON): access_token (string), token_type (string, Bearer), expires_in (integer, seconds until the access token expires)', async () => {
    for (const fields of [bySecret(key), byAssertion(key, assertionOf(key))]) {
      const reply = await post(fields)
      expect(reply.headers['content-type']).toBe('application/json')
      expect(Object.keys(reply.json).toSorted()).toEqual(['access_token', 'expires_in', 'token_type'])
      expect(reply.json['access_token']).toEqual(expect.any(String))
      expect(reply.json['token_type']).toBe('Bearer')
      expect(Number.isInteger(reply.json['expires_in'])).toBe(true)
      const payload = (reply.json['access_token'] as string).split('.')[1] as string
      const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp: number }
      const left = exp - nowSeconds()
      expect(left).toBeGreaterThan((reply.json['expires_in'] as number) - 60)
      expect(left).toBeLessThanOrEqual(reply.json['expires_in'] as number)
    }
  })
})

describe('Requirements of the signed JWT (signed with the private key from the Client Secret)', () => {
  let own: Key
  beforeAll(async () => {
    own = await access.makeCaller(['system:user'])
  })
  const answer = async (claims: Json): Promise<unknown> => {
    const reply = await post(byAssertion(own, assertionOf(own, claims)))
    return reply.status === 200 ? 200 : [reply.status, reply.json['error']]
  }
  const refused = [401, 'invalid_client']

  test('it is signed with that key and no other', async () => {
    expect((await post(byAssertion(own, assertionOf(own)))).status).toBe(200)
    const others = assertionOf({ ...key, clientId: own.clientId })
    expect((await post(byAssertion(own, others))).status).toBe(401)
  })

  test('1. iss equals the Client ID', async () => {
    for (const iss of ['x', '', undefined, key.clientId]) expect(await answer({ iss })).toEqual(refused)
  })

  test('2. sub equals the Client ID', async () => {
    for (const sub of ['x', '', undefined, own.userId]) expect(await answer({ sub })).toEqual(refused)
  })

  test('3. aud equals the tenant’s domain', async () => {
    expect(await answer({ aud: hostIn(own.clientId) })).toBe(200)
    for (const aud of ['example.com', '', undefined, 'bailiwick.internal'])
      expect(await answer({ aud })).toEqual(refused)
  })

  test('4. exp lies within five minutes of the current time', async () => {
    const now = nowSeconds()
    expect(await answer({ exp: now + 300 })).toBe(200)
    expect(await answer({ exp: Math.floor(now) + 299 })).toBe(200)
    expect(await answer({ exp: nowSeconds() + 330 })).toEqual(refused)
    expect(await answer({ exp: Math.floor(now) + 3600 })).toEqual(refused)
    expect(await answer({ exp: Math.floor(now) - 1 })).toEqual(refused)
    expect(await answer({ exp: Math.floor(now) - 299 })).toEqual(refused)
  })

  test('4. to the second: exp in 300 s passes; in 301 s, now and in the past it is refused', () => {
    const now = new Date('2026-01-31T12:00:00.000Z')
    const seconds = now.getTime() / 1000
    const check = (exp: unknown): unknown => checkClaims(claimsOf(own, { exp }), own.clientId, 'localhost', now)
    expect(check(seconds + 300)).toMatchObject({ jti: null })
    expect(check(seconds + 1)).toMatchObject({ jti: null })
    expect(check(seconds + 300.001)).toMatch(/within five minutes/)
    expect(check(seconds + 301)).toMatch(/within five minutes/)
    expect(check(seconds)).toMatch(/past/)
    expect(check(seconds - 1)).toMatch(/past/)
    expect(check(-1)).toMatch(/past/)
  })

  test('4. A JWT without an expiry (infinitely valid) is not allowed', async () => {
    for (const exp of [undefined, null, '', `${Math.floor(nowSeconds()) + 60}`, true, [nowSeconds() + 60]])
      expect(await answer({ exp })).toEqual(refused)
    // JSON has no word for infinity, but it has numbers that are.
    const text = JSON.stringify(claimsOf(own, { exp: 1 })).replace('"exp":1', '"exp":1e999')
    const signed = `${encodePart({ alg: 'EdDSA' })}.${Buffer.from(text).toString('base64url')}`
    const jwt = `${signed}.${sign(null, Buffer.from(signed), privateKeyIn(own.clientSecret)).toString('base64url')}`
    expect((await post(byAssertion(own, jwt))).status).toBe(401)
  })
})

describe('Using the token', () => {
  test('Send the header Authorization: Bearer <ACCESS_TOKEN> on each request', async () => {
    for (const route of ['/api/v1/auth/introspect', clients, '/api/v1/iam/roles']) {
      const headers = { authorization: `Bearer ${token}` }
      expect((await ask(server, route, { headers })).status).toBe(200)
      expect((await ask(server, route)).status).toBe(401)
    }
  })

  test('A request with an expired token is denied', async () => {
    const exp = Math.floor(nowSeconds()) - 1
    const expired = await access.signToken(tokenClaims(access.tenant, key, { exp, nbf: exp - 600, iat: exp - 600 }))
    expect(outcomeOf(await ask(server, clients, { token: expired }))).toBe('401/16 TOKEN_EXPIRED')
  })

  test('Clients are expected to track expires_in and obtain a new token before it passes: both are good until then', async () => {
    const fresh = await getToken(server, key)
    expect(fresh).not.toBe(token)
    for (const each of [token, fresh]) expect((await ask(server, clients, { token: each })).status).toBe(200)
  })

  test('Every endpoint except the token endpoint requires the Authorization header', async () => {
    const open = routes.filter((route) => route.allow === 'anyone')
    // The published delivery contract has it so: the address of a callback is a secret of its own (decision 0086).
    const callback = 'bailiwick.v1.WebhookDeliveries.Callback'
    expect(open.filter((route) => route.path.startsWith('/api/')).map(({ id }) => id)).toEqual([callback])
    // The public keys hold nothing that needs it, and whoever checks tokens has none. Signing in to the console is not of
    // the API (decision 0025): nobody has anything to send there yet.
    const besides = open.map((route) => route.id).filter((id) => !id.startsWith('auth.v1.SignIn.'))
    // Revoking asks for the client's own proof, as the token endpoint does (RFC 7009 section 2.1).
    // The metadata say where these are, to clients that have nothing yet (RFC 8414 section 3).
    expect(besides).toEqual([
      'auth.v1.Token.Issue',
      'auth.v1.Token.Revoke',
      // So does introspection (RFC 7662 section 2.1).
      'auth.v1.Token.Introspect',
      // A program that has nothing yet asks to be authorized (RFC 8628 section 3.1).
      'auth.v1.Device.Authorize',
      'auth.v1.ServerMetadata.Get',
      'auth.v1.Keys.List',
      callback,
    ])
    // One of each room; tests/sweep/permissions.test.ts asks for all of them.
    const ofApi = routes.filter((route) => route.path.startsWith('/api/') && route.id !== callback)
    const rooms = new Map(ofApi.map((route) => [route.id.split('.').slice(0, 3).join('.'), route]))
    expect(rooms.size).toBeGreaterThan(50)
    for (const { id, method, path } of rooms.values()) {
      const reply = await ask(server, path.replace(/\{\w+\}/g, 'x'), { method, from: newAddress() })
      expect(`${id}: ${outcomeOf(reply)}`).toBe(`${id}: 401/16 TOKEN_MISSING`)
    }
  })
})

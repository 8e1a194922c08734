import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Access,
  ask,
  askToken,
  assertionOf,
  byAssertion,
  bySecret,
  eventually,
  getToken,
  type Json,
  type Key,
  newAddress,
  openAccess,
  outcomeOf,
  type Reply,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
let other: TestServer
let access: Access
let key: Key

beforeAll(async () => {
  const flags = { 'trusted-proxy': ['127.0.0.1'] }
  server = await startServer({ flags })
  other = await startServer({ beside: server, flags: { ...flags, 'token-lifetime': '3600' } })
  access = await openAccess(server)
  key = await access.makeCaller(['system:user'])
})
afterAll(async () => {
  await access.close()
  await other.stop()
  await server.stop()
})

const introspect = async (token: string, of = server): Promise<string> =>
  outcomeOf(await ask(of, '/api/v1/auth/introspect', { token }))
const revoke = (form: Record<string, string>): Promise<Reply> =>
  askToken(server, form, { from: newAddress(), path: '/auth/v1/revoke' })
const clientOf = (of: Key): Record<string, string> => {
  const { grant_type: _, ...form } = bySecret(of) as Record<string, string>
  return form
}

describe('a revoked access token', () => {
  test('is denied at once here and within a second elsewhere, and others of its client are not', async () => {
    const [token, another] = [await getToken(server, key), await getToken(server, key)]
    for (const at of [server, other]) expect(await introspect(token, at)).toBe('200')
    const reply = await revoke({ ...clientOf(key), token, token_type_hint: 'access_token' })
    expect([reply.status, reply.json]).toEqual([200, {}])
    expect(await introspect(token)).toBe('401/16 TOKEN_INVALID')
    expect(await eventually(async () => (await introspect(token, other)) === '401/16 TOKEN_INVALID')).toBe(true)
    for (const at of [server, other]) expect(await introspect(another, at)).toBe('200')
    const rows = await server.db<{ event: string }[]>`
      select event from systemlog_events where event like '%Revoked an access token%' and event like ${`%${key.clientId}%`}`
    expect(rows).toHaveLength(1)
    // Twice is once.
    expect((await revoke({ ...clientOf(key), token })).status).toBe(200)
  })

  test('may be revoked by a client that signs an assertion, and what it was does not matter then', async () => {
    const token = await getToken(server, key)
    const { grant_type: _, ...form } = byAssertion(key, assertionOf(key)) as Record<string, string>
    expect((await revoke({ ...form, token, token_type_hint: 'refresh_token' })).status).toBe(200)
    expect(await introspect(token)).toBe('401/16 TOKEN_INVALID')
  })

  test('that is unknown, forged or of another tenant is answered as revoked', async () => {
    const token = await getToken(server, key)
    const elsewhere = await access.makeTenant('revocation.example.com')
    const stranger = await access.makeCaller(['system:user'], {}, elsewhere)
    const theirs = await getToken(server, stranger)
    for (const each of ['x', 'a.b.c', `${token}x`, theirs, 'ü', 'x'.repeat(10_000)])
      expect((await revoke({ ...clientOf(key), token: each })).status, each.slice(0, 20)).toBe(200)
    expect(await introspect(token)).toBe('200')
    expect((await ask(server, '/api/v1/auth/introspect', { token: theirs, host: elsewhere.domain })).status).toBe(200)
  })
})

describe('is not revoked', () => {
  const refused = async (form: Record<string, string>, status: number, error: string): Promise<void> => {
    const reply = await revoke(form)
    expect([reply.status, reply.json['error']]).toEqual([status, error])
    expect(Object.keys(reply.json)).toEqual(['error', 'error_description'])
  }

  test('a token of another client, even of the same user', async () => {
    const sibling = await access.makeKey(key.userId)
    const token = await getToken(server, sibling)
    await refused({ ...clientOf(key), token }, 400, 'invalid_grant')
    expect(await introspect(token)).toBe('200')
  })

  test('anything by a client that does not prove itself, or without a token', async () => {
    const token = await getToken(server, key)
    await refused({ ...clientOf(key), client_secret: 'x', token }, 401, 'invalid_client')
    await refused({ ...clientOf(key), client_id: 'nobody@localhost/pcc', token }, 401, 'invalid_client')
    await refused({ token }, 400, 'invalid_request')
    await refused(clientOf(key), 400, 'invalid_request')
    await refused({ ...clientOf(key), token: '' }, 400, 'invalid_request')
    expect(await introspect(token)).toBe('200')
  })
})

test('the lifetime of tokens is a setting, and a deleted credential is denied at once all the same', async () => {
  const own = await access.makeCaller(['system:user'])
  const reply = await askToken(other, bySecret(own), { from: newAddress() })
  expect(reply.json['expires_in']).toBe(3600)
  const token = reply.json['access_token'] as string
  const claims = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()) as Json
  expect((claims['exp'] as number) - (claims['iat'] as number)).toBe(3600)
  expect(await introspect(token, other)).toBe('200')
  const path = `/api/v1/iam/personal_clients/${own.id}`
  expect((await ask(other, path, { token, method: 'DELETE' })).status).toBe(200)
  expect(await introspect(token, other)).toBe('401/16 CREDENTIAL_REVOKED')
})

test('the API document has the errors of these endpoints as they are sent', async () => {
  type Operation = { responses: Record<string, { content: Json }> }
  const { json } = await ask(server, '/api/openapi.json')
  for (const path of ['/auth/v1/token', '/auth/v1/revoke']) {
    const { responses } = ((json['paths'] as Json)[path] as { post: Operation }).post
    const statuses = ['200', '400', '401', '404', '408', '413', '415', '429', '431', '500', '503']
    expect(Object.keys(responses)).toEqual(statuses)
    expect(JSON.stringify(responses['401'])).toContain('#/components/schemas/auth.v1.OauthError')
    expect(JSON.stringify(responses)).not.toContain('schemas/Error"')
  }
  const wrong = await askToken(server, { grant_type: 'x' })
  const { auth } = { auth: (json['components'] as { schemas: Json }).schemas['auth.v1.OauthError'] as Json }
  expect(Object.keys(wrong.json)).toEqual(Object.keys(auth['properties'] as Json))
})

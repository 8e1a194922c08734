import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { actorLater, authoredBy } from '#rooms/identity/tokens/index.ts'
import {
  type Access,
  ask,
  askToken,
  bySecret,
  eventually,
  fieldsOf,
  getToken,
  type Json,
  type Key,
  newAddress,
  openAccess,
  outcomeOf,
  type Reply,
  type RoleName,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
let access: Access
let owner: Key
const ids = {} as Record<RoleName, string>

beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
  owner = await access.makeCaller(['system:owner'])
  const rows = await server.db<{ id: string; name: RoleName }[]>`
    select role_id as id, name from roles where tenant_id = ${access.tenant.id}`
  for (const { id, name } of rows) ids[name] = id
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const send = (form: Record<string, string>, of = owner): Promise<Reply> =>
  askToken(server, { ...bySecret(of), ...form }, { from: newAddress() })
const scoped = async (roles: readonly RoleName[], of = owner): Promise<string> => {
  const scope = roles.map((role) => ids[role]).join(' ')
  const reply = await send({ scope }, of)
  expect(reply.status, reply.text).toBe(200)
  expect(reply.json['scope']).toBe(scope)
  return reply.json['access_token'] as string
}
const told = ({ status, json }: Reply): string => `${status} ${String(json['error'])}`
const createApp = (token: string): Promise<Reply> =>
  ask(server, '/api/v1/apps', { token, body: { displayName: 'An app' } })
const createKey = (token: string, body: Json = {}): Promise<Reply> =>
  ask(server, '/api/v1/iam/personal_clients', { token, body: { displayName: 'A key', ...body } })
const introspect = async (token: string): Promise<Json> => {
  const reply = await ask(server, '/api/v1/auth/introspect', { token })
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}

describe('a token that was asked for with a scope', () => {
  test('reads and does not write, where the role is Read-Only; without a scope it may do everything', async () => {
    const token = await scoped(['system:viewer'])
    expect((await ask(server, '/api/v1/apps', { token })).status).toBe(200)
    const denied = await createApp(token)
    expect(outcomeOf(denied)).toBe('403/7 PERMISSION_DENIED')
    expect(denied.headers['www-authenticate']).toMatch(
      /^Bearer realm="localhost", error="insufficient_scope", error_description="This needs the permission apps.write."$/,
    )
    const { roles, permissions } = await introspect(token)
    expect(roles).toContain(ids['system:viewer'])
    expect(roles).not.toContain(ids['system:owner'])
    expect(permissions).not.toContain('apps.write')
    const full = await send({})
    expect(full.json).not.toHaveProperty('scope')
    expect((await createApp(full.json['access_token'] as string)).status).toBe(200)
    // The narrow one is as narrow as before.
    expect((await createApp(token)).status).toBe(403)
  })

  test('of several roles may do what any of them permits, and one named twice counts once', async () => {
    const token = await scoped(['system:viewer', 'system:user'])
    expect((await createKey(token)).status).toBe(400)
    const twice = await send({ scope: ` ${ids['system:viewer']}  ${ids['system:viewer']} ` })
    expect(twice.json['scope']).toBe(ids['system:viewer'])
  })

  test('creates no credential that is freer than itself, and does not change or see others', async () => {
    const token = await scoped(['system:user'])
    const scopedRoles = [ids['system:user']]
    for (const wanted of [[], [ids['system:owner']], [...scopedRoles, ids['system:owner']]]) {
      const reply = await createKey(token, { scopedRoles: wanted })
      expect([reply.status, fieldsOf(reply)]).toEqual([400, ['scopedRoles']])
    }
    const made = await createKey(token, { scopedRoles })
    expect(made.status, made.text).toBe(200)
    const { clientId } = made.json['client'] as { clientId: string }
    const child = { ...owner, clientId, clientSecret: made.json['clientSecret'] as string }
    expect(told(await send({ scope: ids['system:owner'] }, child))).toBe('400 invalid_scope')
    expect((await createApp(await getToken(server, child))).status).toBe(403)
    const widen = (id: string) =>
      ask(server, `/api/v1/iam/personal_clients/${id}`, {
        token,
        body: { client: { scopedRoles: [] }, updateMask: 'scopedRoles' },
      })
    const { id: childId } = made.json['client'] as { id: string }
    for (const id of [owner.id, childId]) expect((await widen(id)).status).toBe(400)
    const sibling = await access.makeKey(owner.userId)
    expect((await widen(sibling.id)).status).toBe(404)
  })

  test('has what is done later for it done within its scope', async () => {
    const world = { ...access.world, tenant: access.tenant }
    const later = async (scope: readonly string[] | undefined) => {
      const actor = { clientId: owner.clientId, sessionId: '', ...(scope && { tokenScope: scope }) }
      return actorLater(world, { authorId: owner.userId, sourceAddress: '127.0.0.1', ...authoredBy(actor as never) })
    }
    expect((await later(undefined)).permissions.has('apps.write')).toBe(true)
    const narrow = await later([ids['system:viewer']])
    expect(narrow.permissions.has('apps.read')).toBe(true)
    expect(narrow.permissions.has('apps.write')).toBe(false)
    expect(narrow).toMatchObject({ clientId: owner.clientId, tokenScope: [ids['system:viewer']] })
  })

  test('permits nothing any more when its role is gone', async () => {
    const id = await access.makeRole('custom:scope', ['roles.read'])
    const token = (await send({ scope: id })).json['access_token'] as string
    expect((await ask(server, '/api/v1/iam/roles', { token })).status).toBe(200)
    expect((await ask(server, '/api/v1/users', { token })).status).toBe(403)
    await server.db`delete from roles where role_id = ${id}`
    expect(await eventually(async () => (await ask(server, '/api/v1/iam/roles', { token })).status === 403)).toBe(true)
  })
})

describe('a scope is refused', () => {
  test('that is unknown, too long, or permits more than the client may do', async () => {
    const viewer = await access.makeCaller(['system:viewer'])
    const limited = await access.makeKey(owner.userId, { roles: [ids['system:viewer']] })
    for (const each of [viewer, limited]) {
      expect(told(await send({ scope: ids['system:owner'] }, each))).toBe('400 invalid_scope')
      expect(told(await send({ scope: `${ids['system:viewer']} ${ids['system:owner']}` }, each))).toBe(
        '400 invalid_scope',
      )
      expect((await send({ scope: ids['system:viewer'] }, each)).status).toBe(200)
    }
    for (const scope of [
      ' ',
      '   ',
      'read',
      'openid profile',
      'system:viewer',
      `${ids['system:viewer']}\t`,
      'x'.repeat(2000),
    ])
      expect(told(await send({ scope })), scope.slice(0, 20)).toBe('400 invalid_scope')
    const many = Array.from({ length: 21 }, (_, i) => `r${i}`).join(' ')
    expect(told(await send({ scope: many }))).toBe('400 invalid_scope')
  })
  test('only when the client has proved itself', async () => {
    expect(told(await send({ scope: 'nonsense', client_secret: 'wrong' }))).toBe('401 invalid_client')
  })
  test('the reply names that of a limited credential, where none was asked for', async () => {
    const limited = await access.makeKey(owner.userId, { roles: [ids['system:viewer']] })
    expect((await send({}, limited)).json['scope']).toBe(ids['system:viewer'])
  })
})

describe('a token is for this tenant', () => {
  const origin = () => server.url.replace('127.0.0.1', 'localhost')
  test.each([
    ['audience', () => 'localhost'],
    ['audience', () => 'https://localhost'],
    ['audience', origin],
    ['resource', origin],
    ['resource', () => `${origin()}/api/v1/apps`],
    ['resource', () => 'https://localhost/'],
  ])('%s %s', async (name, value) => {
    expect((await send({ [name]: value() })).status).toBe(200)
  })
  test.each([
    ['audience', 'https://graph.example'],
    ['audience', 'localhost.example'],
    ['resource', 'https://localhost.example/api'],
    ['resource', 'https://user@evil.example#https://localhost'],
    ['resource', 'https://localhost/#fragment'],
    ['resource', 'localhost'],
    ['resource', 'nonsense'],
  ])('and not for %s %s', async (name, value) => {
    expect(told(await send({ [name]: value }))).toBe('400 invalid_target')
  })
  test.each(['audience', 'resource'])('however often %s is sent: each has to name it', async (name) => {
    const with2 = (...values: string[]) => {
      const form = new URLSearchParams(bySecret(owner))
      for (const value of values) form.append(name, value)
      return askToken(server, form.toString(), { from: newAddress() })
    }
    expect((await with2(origin(), 'https://localhost', '')).status).toBe(200)
    expect(told(await with2(origin(), 'https://elsewhere.example'))).toBe('400 invalid_target')
    expect(told(await with2('https://elsewhere.example', origin()))).toBe('400 invalid_target')
    expect(told(await with2(...Array.from({ length: 21 }, origin)))).toBe('400 invalid_request')
  })
  test('also for a device, before anyone is asked to approve it', async () => {
    const authorize = (form: Record<string, string>) =>
      askToken(server, { client_id: 'probe', ...form }, { path: '/auth/v1/device_authorization', from: newAddress() })
    expect((await authorize({ resource: origin() })).status).toBe(200)
    expect(told(await authorize({ resource: 'https://elsewhere.example' }))).toBe('400 invalid_target')
  })
})

describe('introspection by RFC 7662', () => {
  const look = (token: string, by: Record<string, string> = bySecret(owner)): Promise<Reply> => {
    const { grant_type: _, ...form } = by
    return askToken(server, { ...form, token }, { path: '/auth/v1/introspect', from: newAddress() })
  }
  test('tells a service for whom a token is, and for which roles', async () => {
    const viewer = await access.makeCaller(['system:viewer'])
    const token = await scoped(['system:viewer'])
    const { json } = await look(token, bySecret(viewer))
    expect(json).toMatchObject({
      active: true,
      scope: ids['system:viewer'],
      client_id: owner.clientId,
      sub: owner.userId,
      token_type: 'Bearer',
      aud: 'localhost',
      iss: 'https://localhost',
    })
    expect((json['exp'] as number) - (json['iat'] as number)).toBe(600)
    expect(json).not.toHaveProperty('cnf')
    expect((await look(await getToken(server, viewer))).json['scope']).toBe(ids['system:viewer'])
  })
  test('tells nothing of one that is not honoured', async () => {
    const key = await access.makeKey(owner.userId)
    const token = await getToken(server, key)
    const inactive = { active: false }
    for (const each of ['x', `${token}x`, 'a.b.c']) expect((await look(each)).json).toEqual(inactive)
    const { grant_type: _, ...form } = bySecret(key) as Record<string, string>
    await askToken(server, { ...form, token }, { path: '/auth/v1/revoke', from: newAddress() })
    expect((await look(token)).json).toEqual(inactive)
    const another = await getToken(server, key)
    expect((await look(another)).json['active']).toBe(true)
    const admin = await getToken(server, owner)
    await ask(server, `/api/v1/iam/personal_clients/${key.id}`, { token: admin, method: 'DELETE', body: {} })
    expect((await look(another)).json).toEqual(inactive)
    const elsewhere = await access.makeTenant('introspection.example.com')
    const theirs = await getToken(server, await access.makeCaller(['system:user'], {}, elsewhere))
    expect((await look(theirs)).json).toEqual(inactive)
  })
  test('is for clients only', async () => {
    const token = await getToken(server, owner)
    expect(told(await look(token, {}))).toBe('400 invalid_request')
    expect(told(await look(token, { ...bySecret(owner), client_secret: 'x' }))).toBe('401 invalid_client')
    expect(told(await look(''))).toBe('400 invalid_request')
  })
  test('is in the metadata, and keys may be cached for minutes', async () => {
    const { json } = await ask(server, '/.well-known/oauth-authorization-server')
    expect(json['introspection_endpoint']).toMatch(/\/auth\/v1\/introspect$/)
    expect(json['introspection_endpoint_auth_methods_supported']).toEqual(['client_secret_post', 'private_key_jwt'])
    const keys = await ask(server, '/auth/v1/jwks')
    expect(keys.headers['cache-control']).toBe('public, max-age=300')
  })
})

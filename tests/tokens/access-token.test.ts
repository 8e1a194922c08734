import { generateKeyPairSync } from 'node:crypto'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fragment, transact } from '#kernel/sql.ts'
import { rotateSigningKey, type Tenant } from '#rooms/foundation/tenants/index.ts'
import { builtInRoles } from '#rooms/identity/roles/index.ts'
import { run } from '../cli/command.ts'
import {
  type Access,
  ask,
  askToken,
  bySecret,
  encodePart,
  eventually,
  getToken,
  type Json,
  type Key,
  newAddress,
  openAccess,
  outcomeOf,
  type Reply,
  signJwt,
  tokenClaims,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
let other: TestServer
let access: Access
let key: Key
let token: string
let tenant: Tenant
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  other = await startServer({ beside: server, flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
  tenant = access.tenant
  key = await access.makeCaller(['system:user'])
  token = await getToken(server, key)
})
afterAll(async () => {
  await access.close()
  await other.stop()
  await server.stop()
})

const introspect = '/api/v1/auth/introspect'
const keysOf = async (of: TestServer, host?: string): Promise<JSONWebKeySet> =>
  (await ask(of, '/auth/v1/jwks', host ? { host } : {})).json as unknown as JSONWebKeySet
const kidsOf = async (of: TestServer): Promise<string[]> => (await keysOf(of)).keys.map((each) => each.kid as string)
const outcome = async (bearer: string, of = server): Promise<string> =>
  outcomeOf(await ask(of, introspect, { token: bearer, from: newAddress() }))

describe('an access token', () => {
  test('is checked by jose with the keys at /auth/v1/jwks, and says what RFC 9068 asks', async () => {
    const keys = await keysOf(server)
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer: 'https://localhost',
      audience: 'localhost',
      typ: 'at+jwt',
      requiredClaims: ['iss', 'aud', 'sub', 'client_id', 'jti', 'iat', 'exp'],
    })
    expect(protectedHeader.alg).toBe('EdDSA')
    expect(payload).toMatchObject({ sub: key.userId, client_id: key.clientId, tenant_id: tenant.publicId })
    expect((payload.exp as number) - (payload.iat as number)).toBe(600)
    const foreign = createLocalJWKSet(await keysOf(server, (await access.makeTenant('jwks.example.com')).domain))
    await expect(jwtVerify(token, foreign)).rejects.toThrow(/no applicable key/)
  })

  test('is checked by keys that hold nothing private', async () => {
    const { keys } = await keysOf(server)
    expect(keys).toHaveLength(1)
    expect(Object.keys(keys[0] as object).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
    expect(keys[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' })
  })

  test('tells who it speaks for, by introspection, on either server', async () => {
    for (const each of [server, other]) {
      const { json } = await ask(each, introspect, { token })
      expect(json).toEqual({
        userId: key.userId,
        tenantId: tenant.publicId,
        principleId: key.clientId,
        roles: [await access.roleId('system:user')],
        permissions: builtInRoles['system:user'].permissions.toSorted(),
        features: [],
      })
    }
  })

  test('may be sent with the scheme in any case, and in no other way', async () => {
    const status = async (authorization: string): Promise<string> =>
      outcomeOf(await ask(server, introspect, { headers: { authorization }, from: newAddress() }))
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  '])
      expect(await status(`${scheme} ${token}`)).toBe('200')
    for (const wrong of [token, `Basic ${token}`, `Bearer${token}`, 'Bearer', `Bearer ${token} x`, `Token ${token}`])
      expect(await status(wrong), wrong.slice(0, 20)).toBe('401/16 TOKEN_INVALID')
    expect(outcomeOf(await ask(server, `${introspect}?access_token=${token}`))).toBe('401/16 TOKEN_MISSING')
  })
})

describe('a token is denied', () => {
  test('when there is none, with a bare challenge', async () => {
    const reply = await ask(server, introspect)
    expect(outcomeOf(reply)).toBe('401/16 TOKEN_MISSING')
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="localhost"')
  })

  test('when it has expired, and a second before that it is not', async () => {
    const now = Math.floor(Date.now() / 1000)
    const reply = await ask(server, introspect, {
      token: await access.signToken(tokenClaims(tenant, key, { exp: now })),
      from: newAddress(),
    })
    expect(outcomeOf(reply)).toBe('401/16 TOKEN_EXPIRED')
    expect(reply.headers['www-authenticate']).toMatch(
      /^Bearer realm="localhost", error="invalid_token", error_description="[^"]+"$/,
    )
    expect(
      await outcome(await access.signToken(tokenClaims(tenant, key, { exp: Math.floor(Date.now() / 1000) + 30 }))),
    ).toBe('200')
  })

  test('from the moment that it expires, though it was honoured and is remembered', async () => {
    let [short, exp, isHonoured] = ['', 0, false]
    // A busy machine may need longer to ask once: then it is given more time.
    for (let seconds = 2; !isHonoured && seconds < 60; seconds *= 2) {
      exp = Math.floor(Date.now() / 1000) + seconds
      short = await access.signToken(tokenClaims(tenant, key, { exp }))
      isHonoured = (await outcome(short)) === '200'
    }
    expect(isHonoured).toBe(true)
    expect(await eventually(async () => (await outcome(short)) === '401/16 TOKEN_EXPIRED')).toBe(true)
    expect(Date.now() / 1000).toBeGreaterThanOrEqual(exp)
  })

  test('when it is not valid yet', async () => {
    const now = Math.floor(Date.now() / 1000)
    expect(await outcome(await access.signToken(tokenClaims(tenant, key, { nbf: now + 60 })))).toBe(
      '401/16 TOKEN_INVALID',
    )
  })

  test('when it was signed with any other key, also under the kid of ours', async () => {
    const { kid } = decodeProtectedHeader(token)
    const claims = tokenClaims(tenant, key)
    const forger = generateKeyPairSync('ed25519').privateKey
    for (const header of [{ kid }, { kid: 'x' }, {}, { kid: null }, { kid: { $ne: '' } }])
      expect(await outcome(signJwt({ alg: 'EdDSA', typ: 'at+jwt', ...header }, claims, forger))).toBe(
        '401/16 TOKEN_INVALID',
      )
  })

  test('when it says alg none, or was signed for something else', async () => {
    const { kid } = decodeProtectedHeader(token)
    const claims = encodePart(tokenClaims(tenant, key))
    expect(await outcome(`${encodePart({ alg: 'none', typ: 'at+jwt', kid })}.${claims}.`)).toBe('401/16 TOKEN_INVALID')
    expect(await outcome(`${encodePart({ alg: 'none', typ: 'at+jwt', kid })}.${claims}.AA`)).toBe(
      '401/16 TOKEN_INVALID',
    )
  })

  test('when any one character of it was changed', async () => {
    for (const part of [0, 1, 2]) {
      const parts = token.split('.') as [string, string, string]
      const text = parts[part] as string
      for (const place of [0, text.length >> 1, text.length - 1])
        for (const letter of ['A', 'B', 'Q', 'R', '9']) {
          if (text[place] === letter) continue
          const changed = parts.with(part, `${text.slice(0, place)}${letter}${text.slice(place + 1)}`).join('.')
          expect(await outcome(changed), `${letter} at ${place} of part ${part}`).toBe('401/16 TOKEN_INVALID')
        }
    }
    for (const changed of [
      `${token}=`,
      `${token}.`,
      `${token}.x`,
      token.slice(0, -1),
      `.${token}`,
      '..',
      'e30.e30.e30',
    ])
      expect(await outcome(changed), changed.slice(-10)).toBe('401/16 TOKEN_INVALID')
  })

  test("when it is another tenant's, at once and after that tenant has honoured it", async () => {
    const elsewhere = await access.makeTenant('elsewhere.example.com')
    const stranger = await access.makeCaller(['system:owner'], {}, elsewhere)
    const theirs = await getToken(server, stranger)
    expect(await outcome(theirs)).toBe('401/16 TOKEN_INVALID')
    expect((await ask(server, introspect, { token: theirs, host: elsewhere.domain })).status).toBe(200)
    expect(await outcome(theirs)).toBe('401/16 TOKEN_INVALID')
    expect(outcomeOf(await ask(server, introspect, { token, host: elsewhere.domain }))).toBe('401/16 TOKEN_INVALID')
    // Signed with their key, though it says that it is ours.
    const signed = await access.signToken(tokenClaims(tenant, key), elsewhere)
    expect(outcomeOf(await ask(server, introspect, { token: signed, host: elsewhere.domain }))).toBe(
      '401/16 TOKEN_INVALID',
    )
    expect(await outcome(signed)).toBe('401/16 TOKEN_INVALID')
  })

  test('when no credential stands behind it', async () => {
    const claims = tokenClaims(tenant, key, { client_id: 'nobody@localhost/pcc' })
    expect(await outcome(await access.signToken(claims))).toBe('401/16 CREDENTIAL_REVOKED')
  })

  test('when the permission is missing, naming it', async () => {
    const reply = await ask(server, '/api/v1/systemlog/events', { token, body: {} })
    expect(outcomeOf(reply)).toBe('403/7 PERMISSION_DENIED')
    expect((reply.json['details'] as Json[])[0]).toMatchObject({ metadata: { permission: 'systemlog.read' } })
  })
})

const rewrite = async (id: string, set: Fragment): Promise<void> => {
  await server.db`update credentials set ${set} where credential_id = ${id}`
  await access.reseal(id)
}
type Change = [what: string, change: (key: Key) => Promise<unknown>, undo: (key: Key) => Promise<unknown>, as: string]
const changes: Change[] = [
  [
    'the credential is deleted',
    ({ id }) => rewrite(id, server.db`deleted_at = now()`),
    ({ id }) => rewrite(id, server.db`deleted_at = null`),
    '401/16 CREDENTIAL_REVOKED',
  ],
  [
    'the credential expires',
    ({ id }) => rewrite(id, server.db`expires_at = now()`),
    ({ id }) => rewrite(id, server.db`expires_at = now() + '1 day'`),
    '401/16 CREDENTIAL_REVOKED',
  ],
  [
    'the user is disabled',
    ({ userId }) => server.db`update users set status = 'DISABLED' where user_id = ${userId}`,
    ({ userId }) => server.db`update users set status = 'ENABLED' where user_id = ${userId}`,
    '401/16 USER_DISABLED',
  ],
  [
    'the user is deleted',
    ({ userId }) => server.db`update users set deleted_at = now() where user_id = ${userId}`,
    ({ userId }) => server.db`update users set deleted_at = null where user_id = ${userId}`,
    '401/16 USER_DISABLED',
  ],
  [
    'the allowed IPs leave out the address',
    ({ id }) => rewrite(id, server.db`allow_source_cidr = '{192.0.2.0/24}'`),
    ({ id }) => rewrite(id, server.db`allow_source_cidr = '{}'`),
    '403/7 SOURCE_ADDRESS_DENIED',
  ],
]

test.concurrent.each(changes)(
  'within a second of it on every server, when %s behind their backs, and honoured again after',
  async (_what, change, undo, as) => {
    const own = await access.makeCaller(['system:user'])
    const bearer = await getToken(server, own)
    for (const each of [server, other]) expect(await outcome(bearer, each)).toBe('200')
    await change(own)
    for (const each of [server, other])
      expect(await eventually(async () => (await outcome(bearer, each)) === as)).toBe(true)
    await undo(own)
    for (const each of [server, other])
      expect(await eventually(async () => (await outcome(bearer, each)) === '200')).toBe(true)
  },
)

test('taking the role from the owner takes the permission from the token, on every server', async () => {
  const own = await access.makeCaller(['system:user', 'system:system-logs-reader'])
  const bearer = await getToken(server, own)
  const events = (of: TestServer): Promise<Reply> => ask(of, '/api/v1/systemlog/events', { token: bearer, body: {} })
  for (const each of [server, other]) expect((await events(each)).status).toBe(200)
  const role = await access.roleId('system:system-logs-reader')
  await server.db`delete from user_roles where user_id = ${own.userId} and role_id = ${role}`
  for (const each of [server, other])
    expect(await eventually(async () => outcomeOf(await events(each)) === '403/7 PERMISSION_DENIED')).toBe(true)
})

describe('a change through the API', () => {
  const client = (id: string): string => `/api/v1/iam/personal_clients/${id}`

  test('counts at once on the server that made it, and within a second on the other', async () => {
    const own = await access.makeCaller(['system:user'])
    const second = await access.makeKey(own.userId)
    const [bearer, bearerOfSecond] = [await getToken(server, own), await getToken(server, second)]
    for (let round = 0; round < 5; round++) {
      const set = async (allowSourceCidr: string[]): Promise<void> => {
        const body = { client: { allowSourceCidr } }
        expect((await ask(server, client(second.id), { token: bearer, body })).status).toBe(200)
      }
      await set(['192.0.2.1'])
      expect(await outcome(bearerOfSecond)).toBe('403/7 SOURCE_ADDRESS_DENIED')
      await set([])
      expect(await outcome(bearerOfSecond)).toBe('200')
    }
    expect(await outcome(bearerOfSecond, other)).toBe('200')
    expect((await ask(server, client(second.id), { token: bearer, method: 'DELETE' })).status).toBe(200)
    expect(await outcome(bearerOfSecond)).toBe('401/16 CREDENTIAL_REVOKED')
    const isDenied = async (): Promise<boolean> =>
      (await outcome(bearerOfSecond, other)) === '401/16 CREDENTIAL_REVOKED'
    expect(await eventually(isDenied)).toBe(true)
    expect((await askToken(server, bySecret(second), { from: newAddress() })).status).toBe(401)
    expect((await askToken(other, bySecret(second), { from: newAddress() })).status).toBe(401)
  })

  test('counts also for requests that come while it is made', async () => {
    const own = await access.makeCaller(['system:user'])
    const second = await access.makeKey(own.userId)
    const [bearer, bearerOfSecond] = [await getToken(server, own), await getToken(server, second)]
    let isOver = false
    const callers = Array.from({ length: 8 }, async () => {
      while (!isOver) await outcome(bearerOfSecond)
    })
    await ask(server, client(second.id), { token: bearer, method: 'DELETE' })
    const after = await Promise.all(Array.from({ length: 8 }, () => outcome(bearerOfSecond)))
    isOver = true
    await Promise.all(callers)
    expect(new Set(after)).toEqual(new Set(['401/16 CREDENTIAL_REVOKED']))
  })

  test('that deletes the credential it is made with is its last', async () => {
    const own = await access.makeCaller(['system:user'])
    const bearer = await getToken(server, own)
    expect((await ask(server, client(own.id), { token: bearer, method: 'DELETE' })).json).toEqual({})
    expect(await outcome(bearer)).toBe('401/16 CREDENTIAL_REVOKED')
  })
})

describe('a source address', () => {
  let own: Key
  let bearer: string
  beforeAll(async () => {
    own = await access.makeCaller(['system:user'], {
      cidrs: ['203.0.113.0/24', '198.51.100.7', '2001:db8:a::/48', '2001:db8:b::1', '::ffff:192.0.2.0/120'],
    })
    bearer = await getToken(server, own, { from: '203.0.113.9' })
  })

  test.each([
    '203.0.113.0',
    '203.0.113.255',
    '::ffff:203.0.113.9',
    '::ffff:cb00:7109',
    '198.51.100.7',
    '192.0.2.1',
    '2001:db8:a::',
    '2001:DB8:000A:ffff::1',
    '2001:db8:b::1',
    '2001:db8:b:0:0:0:0:1',
  ])('%s that is allowed gets in, and gets a token', async (from) => {
    expect(outcomeOf(await ask(server, introspect, { token: bearer, from }))).toBe('200')
    expect((await askToken(server, bySecret(own), { from })).status).toBe(200)
  })

  test.each([
    '203.0.114.0',
    '198.51.100.8',
    '192.0.3.1',
    '2001:db8:b::2',
    '2001:db8:c::1',
    '::1',
    '::203.0.113.9',
    'unknown',
  ])('%s that is not allowed does not, and gets no token', async (from) => {
    expect(outcomeOf(await ask(server, introspect, { token: bearer, from }))).toBe('403/7 SOURCE_ADDRESS_DENIED')
    const reply = await askToken(server, bySecret(own), { from })
    expect([reply.status, reply.json['error']]).toEqual([401, 'invalid_client'])
  })

  test('is the one that the nearest proxy saw, not what the caller claims before it', async () => {
    const spoofed = '203.0.113.9, 198.51.100.99'
    expect(outcomeOf(await ask(server, introspect, { token: bearer, from: spoofed }))).toBe(
      '403/7 SOURCE_ADDRESS_DENIED',
    )
    expect(outcomeOf(await ask(server, introspect, { token: bearer, from: '198.51.100.99, 203.0.113.9' }))).toBe('200')
  })

  test('of IPv4 is in no block of IPv6, not even in ::/0', async () => {
    const v6 = await access.makeCaller(['system:user'], { cidrs: ['::/0'] })
    const v4 = await access.makeCaller(['system:user'], { cidrs: ['0.0.0.0/0'] })
    const status = async (of: Key, from: string): Promise<number> =>
      (await askToken(server, bySecret(of), { from })).status
    expect(await status(v6, '2001:db8::1')).toBe(200)
    expect(await status(v6, '203.0.113.9')).toBe(401)
    expect(await status(v6, '::ffff:203.0.113.9')).toBe(401)
    expect(await status(v4, '203.0.113.9')).toBe(200)
    expect(await status(v4, '::ffff:203.0.113.9')).toBe(200)
    expect(await status(v4, '2001:db8::1')).toBe(401)
  })
})

describe('rotating the keys', () => {
  const rotate = () => {
    const { databaseUrl, dataDir } = server.config
    return run([
      'tenant',
      'rotate-keys',
      '--tenant',
      'localhost',
      '--database-url',
      databaseUrl as string,
      '--data-dir',
      dataDir,
    ])
  }

  test('by the command, while servers run: old tokens live on, new ones are signed with the new key', async () => {
    const [oldKid] = await kidsOf(server)
    const ran = await rotate()
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const newKid = /key (\w{27})/.exec(ran.stdout)?.[1] as string
    for (const each of [server, other]) {
      expect(await eventually(async () => (await kidsOf(each)).includes(newKid))).toBe(true)
      expect(await kidsOf(each)).toEqual([newKid, oldKid])
      const fresh = await getToken(each, key)
      expect(decodeProtectedHeader(fresh).kid).toBe(newKid)
      await jwtVerify(fresh, createLocalJWKSet(await keysOf(each)))
      expect(await outcome(fresh, each)).toBe('200')
      expect(await outcome(token, each)).toBe('200')
    }
    // The old one's public half lasts as long as a token that it signed; then it is gone.
    await jwtVerify(token, createLocalJWKSet(await keysOf(server)))
    await server.db`update signing_keys set retired_at = now() - '661 seconds'::interval where key_id = ${oldKid as string}`
    expect(await eventually(async () => (await kidsOf(server)).length === 1)).toBe(true)
    const late = tokenClaims(tenant, key)
    expect(await outcome(await access.signToken(late))).toBe('200')
  })

  test('and a token of the new key is honoured by a server that has not heard of it yet', async () => {
    for (let round = 0; round < 3; round++) {
      expect(await outcome(await getToken(other, key), other)).toBe('200')
      await transact(access.world.db, (tx) => rotateSigningKey(tx, access.world, tenant.id))
      expect(await outcome(await access.signToken(tokenClaims(tenant, key)), other)).toBe('200')
    }
  })

  test('twice at once leaves one key that signs', async () => {
    await Promise.all(
      Array.from({ length: 4 }, () => transact(access.world.db, (tx) => rotateSigningKey(tx, access.world, tenant.id))),
    )
    const [row] = await server.db<{ signing: number }[]>`
      select count(*)::int as signing from signing_keys where tenant_id = ${tenant.id} and retired_at is null`
    expect(row?.signing).toBe(1)
    expect((await ask(server, introspect, { token: await getToken(server, key) })).status).toBe(200)
  })
})

test('introspect lists the service roles of built-in roles, as far as they are held in full', async () => {
  const rolesBy = async (own: Key): Promise<unknown> =>
    (await ask(server, introspect, { token: await getToken(server, own) })).json['roles']
  const ownerId = await access.roleId('system:owner')
  const userId = await access.makeUser({ roles: ['system:owner'] })
  expect(await rolesBy(await access.makeKey(userId))).toEqual([
    ownerId,
    'role/c1.api.tenant.v1.Tenant:owner',
    'role/c1.api.auth.v1.Auth:owner',
    'role/c1.api.app.v1.Apps:owner',
    'role/c1.api.app.v1.AppEntitlements:owner',
  ])
  const viewed = await rolesBy(await access.makeKey(userId, { roles: ['system:viewer'] }))
  expect(viewed).toContain('role/c1.api.app.v1.Apps:viewer')
  expect(viewed).not.toContain('role/c1.api.app.v1.Apps:owner')
  // A scope says what the credential is limited to, not what its owner may do.
  const basic = await access.makeUser({ roles: ['system:user'] })
  expect(await rolesBy(await access.makeKey(basic, { roles: ['system:owner'] }))).toEqual([ownerId])
})

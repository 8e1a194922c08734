import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
  sign,
} from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkClaims } from '#rooms/identity/tokens/assertion.ts'
import { deleteExpiredAssertions } from '#rooms/identity/tokens/index.ts'
import {
  type Access,
  askToken,
  assertionOf,
  byAssertion,
  claimsOf,
  encodePart,
  type Json,
  jwkIn,
  type Key,
  newAddress,
  nowSeconds,
  openAccess,
  privateKeyIn,
  type Reply,
  signJwt,
} from '../fixture/access.ts'
import { longTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
let other: TestServer
let access: Access
let key: Key
let privateKey: KeyObject
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  other = await startServer({ beside: server, flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
})
afterAll(async () => {
  await access.close()
  await other.stop()
  await server.stop()
})

const send = (assertion: string, of = key, asking: { host?: string } = {}): Promise<Reply> =>
  askToken(server, byAssertion(of, assertion), { from: newAddress(), ...asking })

const accepted = async (assertion: string): Promise<void> => {
  const reply = await send(assertion)
  expect(reply.status, reply.text).toBe(200)
}
const refused = async (assertion: string, told: RegExp = /^The client is unknown, or/): Promise<void> => {
  const reply = await send(assertion)
  expect({ status: reply.status, error: reply.json['error'] }, reply.text).toEqual({
    status: 401,
    error: 'invalid_client',
  })
  expect(reply.json['error_description']).toMatch(told)
}

// One each, so that no test slows another by its failures.
beforeAll(async () => {
  key = await access.makeCaller(['system:user'])
  privateKey = privateKeyIn(key.clientSecret)
})

describe('an assertion', () => {
  test('made by jose is taken', async () => {
    const jwt = await new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
      .setIssuer(key.clientId)
      .setSubject(key.clientId)
      .setAudience('localhost')
      .setIssuedAt()
      .setNotBefore('0s')
      .setExpirationTime('2m')
      .sign(privateKey)
    await accepted(jwt)
  })

  test('created with node:crypto is accepted, and without a jti once, however its signature is written', async () => {
    // Of its own: it fails often, which is counted.
    const own = await access.makeCaller(['system:user'])
    const jwt = assertionOf(own)
    expect((await send(jwt, own)).status).toBe(200)
    const [header, claims, signature] = jwt.split('.') as [string, string, string]
    const again = [
      jwt,
      `${jwt}=`,
      `${jwt}==`,
      `${header}=.${claims}.${signature}`,
      `${header}.${claims}=.${signature}`,
      `${jwt.slice(0, -1)}${String.fromCharCode(jwt.charCodeAt(jwt.length - 1) + 1)}`,
    ]
    for (const each of again) {
      const reply = await send(each, own)
      expect(reply.status, each.slice(-8)).toBe(401)
    }
    expect((await send(jwt, own)).json['error_description']).toBe(
      'The client assertion is not accepted: it was used before.',
    )
    // Of the same claims, signed anew with another header, there is another.
    expect((await send(assertionOf(own, {}, { nonce: randomUUID() }), own)).status).toBe(200)
  })

  test('without a jti that comes many times at once gets one token', async () => {
    const own = await access.makeCaller(['system:user'])
    const jwt = assertionOf(own)
    const replies = await Promise.all(Array.from({ length: 10 }, () => send(jwt, own)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('may have header members that nobody knows, such as nonce', async () => {
    await accepted(assertionOf(key, {}, { typ: 'JWT', nonce: randomUUID(), kid: 'x', 'x-more': { a: [1] } }))
  })

  test('with a crit member is refused: what must be understood is not', async () => {
    await refused(assertionOf(key, {}, { crit: ['nonce'], nonce: 'x' }))
    await refused(assertionOf(key, {}, { crit: ['b64'], b64: false }))
    await refused(assertionOf(key, {}, { crit: [] }))
  })

  test('with claims that nobody knows is taken', async () => {
    await accepted(assertionOf(key, { iat: 0, scope: 'x', nested: { deep: [null] } }))
  })
})

describe('a signature', () => {
  test('of alg none is refused', async () => {
    const claims = claimsOf(key)
    await refused(new UnsecuredJWT(claims).encode())
    await refused(`${encodePart({ alg: 'none' })}.${encodePart(claims)}.`)
    await refused(`${encodePart({ alg: 'NONE' })}.${encodePart(claims)}.AAAA`)
  })

  test('of HS256 with the public key as the secret is refused', async () => {
    const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
    const pem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' })
    const raw = Buffer.from(jwkIn(key.clientSecret).x, 'base64url')
    const signed = `${encodePart({ alg: 'HS256', typ: 'JWT' })}.${encodePart(claimsOf(key))}`
    for (const secret of [spki, pem, raw])
      await refused(`${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`)
  })

  test('of RS256, of ES256 and of any other key is refused', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const ed25519 = generateKeyPairSync('ed25519').privateKey
    const ed448 = generateKeyPairSync('ed448').privateKey
    const made = (alg: string, own: KeyObject) => new SignJWT(claimsOf(key)).setProtectedHeader({ alg }).sign(own)
    await refused(await made('RS256', rsa))
    await refused(await made('ES256', ec))
    await refused(await made('EdDSA', ed25519))
    await refused(signJwt({ alg: 'EdDSA' }, claimsOf(key), ed448))
    // A header may not bring its own key.
    const jwk = createPublicKey(ed25519).export({ format: 'jwk' })
    await refused(signJwt({ alg: 'EdDSA', jwk }, claimsOf(key), ed25519))
  })

  test('may call the algorithm by its newer name, Ed25519 (RFC 9864), as some libraries do', async () => {
    await accepted(signJwt({ alg: 'Ed25519' }, claimsOf(key), privateKey))
  })

  test('that says another algorithm than EdDSA is refused, though the key is right', async () => {
    for (const alg of ['HS256', 'RS256', 'none', 'eddsa', 'Ed448', undefined])
      await refused(signJwt({ alg }, claimsOf(key), privateKey))
  })

  test('that does not fit the payload or the header is refused', async () => {
    const [header, , signature] = assertionOf(key).split('.') as [string, string, string]
    const stretched = encodePart(claimsOf(key, { exp: Math.floor(nowSeconds()) + 200 }))
    await refused(`${header}.${stretched}.${signature}`)
    const [, payload] = assertionOf(key).split('.') as [string, string, string]
    await refused(`${encodePart({ alg: 'EdDSA', typ: 'x' })}.${payload}.${signature}`)
  })

  test('that is changed in any one character is refused', async () => {
    const own = await access.makeCaller(['system:user'])
    const jwt = assertionOf(own)
    const at = jwt.lastIndexOf('.') + 1
    for (const place of [at, at + 40, jwt.length - 1])
      for (const letter of ['A', 'B', 'Q', 'R', '_']) {
        if (jwt[place] === letter) continue
        const changed = `${jwt.slice(0, place)}${letter}${jwt.slice(place + 1)}`
        expect((await send(changed, own)).status, `${letter} at ${place - at}`).toBe(401)
      }
    expect((await send(`${jwt}=`, own)).status).toBe(401)
    expect((await send(jwt, own)).status).toBe(200)
  })

  test('of noise is refused', async () => {
    const noise = ['x', '.', '..', '...', 'a.b.c', `${encodePart({})}.${encodePart({})}.`, '{}', 'ü.ü.ü']
    const parts = [randomBytes(30), randomBytes(30), randomBytes(64)].map((each) => each.toString('base64url'))
    for (const each of [...noise, parts.join('.'), 'x'.repeat(60_000)]) await refused(each)
  })

  test('of a payload that is no object is refused', async () => {
    const own = await access.makeCaller(['system:user'])
    const ownKey = privateKeyIn(own.clientSecret)
    for (const claims of [null, [], 'x', 1, [claimsOf(own)]])
      expect((await send(signJwt({ alg: 'EdDSA' }, claims, ownKey), own)).status).toBe(401)
    const signed = `${encodePart({ alg: 'EdDSA' })}.${Buffer.from('{"iss":\xff', 'latin1').toString('base64url')}`
    const noJson = `${signed}.${sign(null, Buffer.from(signed), ownKey).toString('base64url')}`
    expect((await send(noJson, own)).status).toBe(401)
  })

  test('of one client is not that of another, though both are of one user', async () => {
    const second = await access.makeKey(key.userId)
    expect((await send(assertionOf(second), key)).status).toBe(401)
    expect((await send(assertionOf({ ...second, clientId: key.clientId }), key)).status).toBe(401)
  })
})

describe('the claims', () => {
  let own: Key
  beforeAll(async () => {
    own = await access.makeCaller(['system:user'])
  })
  const told = async (claims: Json): Promise<string> => {
    const reply = await send(assertionOf(own, claims), own)
    return reply.status === 200 ? 'a token' : (reply.json['error_description'] as string)
  }

  test('iss and sub must each be the client id', async () => {
    for (const wrong of [undefined, '', 'x', [own.clientId], own.clientId.toUpperCase(), null]) {
      expect(await told({ iss: wrong })).toMatch(/iss must be the client id/)
      expect(await told({ sub: wrong })).toMatch(/sub must be the client id/)
    }
  })

  test('aud is the domain, as a string or in an array that holds it', async () => {
    expect(await told({ aud: 'localhost' })).toBe('a token')
    expect(await told({ aud: ['localhost'] })).toBe('a token')
    expect(await told({ aud: ['https://elsewhere.example.com', 'localhost'] })).toBe('a token')
  })

  test.each([
    undefined,
    null,
    '',
    'elsewhere.example.com',
    'https://localhost',
    [],
    [['localhost']],
    {},
    1,
    'localhost/',
  ])('aud that is %j is refused', async (aud) => {
    expect(await told({ aud })).toMatch(/aud must be localhost/)
  })

  test('nbf may lie 30 seconds ahead, and not more', async () => {
    const now = Math.floor(nowSeconds())
    expect(await told({ nbf: now })).toBe('a token')
    expect(await told({ nbf: now + 29 })).toBe('a token')
    // As of then: a busy machine may have taken seconds for the ones before.
    expect(await told({ nbf: Math.floor(nowSeconds()) + 60 })).toMatch(/nbf is in the future/)
    const at = new Date('2026-01-31T12:00:00.000Z')
    const checked = (ahead: number): unknown => {
      const seconds = at.getTime() / 1000
      return checkClaims(claimsOf(own, { exp: seconds + 60, nbf: seconds + ahead }), own.clientId, 'localhost', at)
    }
    expect(checked(30)).toMatchObject({ jti: null })
    expect(checked(31)).toMatch(/nbf is in the future/)
    expect(await told({ nbf: '0' })).toMatch(/nbf/)
    expect(await told({ nbf: null })).toMatch(/nbf/)
  })

  test('jti is text, and used once', async () => {
    const jti = randomUUID()
    expect(await told({ jti })).toBe('a token')
    expect(await told({ jti })).toMatch(/jti was used before/)
    for (const wrong of [1, null, {}, 'x'.repeat(256), 'a\0b'])
      expect(await told({ jti: wrong })).toMatch(/jti must be/)
    expect(await told({ jti: 'x'.repeat(255) })).toBe('a token')
  })
})

test("a tenant's domain with a port is an audience with it and without it, and with no other", async () => {
  const tenant = await access.makeTenant('ports.example.com:8443')
  const own = await access.makeCaller(['system:user'], {}, tenant)
  expect(own.clientId).toMatch(/@ports\.example\.com:8443\/pcc$/)
  const host = 'ports.example.com:8443'
  const status = async (aud: unknown): Promise<number> => (await send(assertionOf(own, { aud }), own, { host })).status
  expect(await status('ports.example.com:8443')).toBe(200)
  expect(await status('ports.example.com')).toBe(200)
  expect(await status(['x', 'ports.example.com'])).toBe(200)
  for (const wrong of ['ports.example.com:8444', 'ports.example.com:', 'localhost', 'example.com'])
    expect(await status(wrong), wrong).toBe(401)
})

test('a jti that comes to two servers at the same time gets one token', async () => {
  for (let round = 0; round < 10; round++) {
    // Failures of one credential are counted over both servers.
    const own = await access.makeCaller(['system:user'])
    const jwt = assertionOf(own, { jti: randomUUID() })
    const replies = await Promise.all(
      [server, other, server, other].map((each) => askToken(each, byAssertion(own, jwt), { from: newAddress() })),
    )
    expect(replies.map((reply) => String(reply.status)).toSorted()).toEqual(['200', '401', '401', '401'])
  }
})

longTest('of many assertions at once, some of them twice, each gets one token, on two servers', async () => {
  // Of its own: half of them fail, which is counted.
  const own = await access.makeCaller(['system:user'])
  const jwts = Array.from({ length: 30 }, () => assertionOf(own, { jti: randomUUID() }))
  const asked = [...jwts, ...jwts.toReversed()].map(async (jwt, index) => {
    const reply = await askToken(index % 3 ? server : other, byAssertion(own, jwt), { from: newAddress() })
    return { jwt, status: reply.status }
  })
  const replies = await Promise.all(asked)
  for (const jwt of jwts)
    expect(
      replies
        .filter((reply) => reply.jwt === jwt)
        .map(({ status }) => String(status))
        .toSorted(),
    ).toEqual(['200', '401'])
})

test('one jti may be used by two clients: it is theirs, not everyones', async () => {
  const second = await access.makeKey(key.userId)
  const jti = randomUUID()
  expect((await send(assertionOf(key, { jti }))).status).toBe(200)
  expect((await send(assertionOf(second, { jti }), second)).status).toBe(200)
})

test('a used jti is kept for a minute after its assertion expired: another server’s clock may be behind', async () => {
  const now = new Date()
  const use = (jti: string, secondsAgo: number) => server.db`
    insert into used_assertions (tenant_id, credential_id, jti, expires_at)
    values (${access.tenant.id}, ${key.id}, ${jti}, ${new Date(now.getTime() - secondsAgo * 1000)})`
  await use('expired 30 s ago', 30)
  await use('expired 90 s ago', 90)
  await deleteExpiredAssertions(server.db, now)
  const rows = await server.db<{ jti: string }[]>`select jti from used_assertions where jti like 'expired%'`
  expect(rows.map((row) => row.jti)).toEqual(['expired 30 s ago'])
})

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { createCredential } from '#rooms/identity/credentials/index.ts'
import {
  type Access,
  ask,
  askToken,
  assertionOf,
  byAssertion,
  bySecret,
  encodePart,
  type Json,
  type Key,
  openAccess,
  outcomeOf,
  type Reply,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { type DpopKey, dpopKey, type ProofOptions, proofOf, signAs } from './proof.ts'

let server: TestServer
let beside: TestServer
let access: Access
let origin: string
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  beside = await startServer({ beside: server, flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
  origin = server.url.replace('127.0.0.1', 'localhost')
})
afterAll(async () => {
  await access.close()
  await beside.stop()
  await server.stop()
})

const path = '/api/v1/auth/introspect'
const tokenUrl = (): string => `${origin}/auth/v1/token`
const here = (): string => `${origin}${path}`

/** A token that is bound to a key. */
async function boundToken(key: Key, dpop: DpopKey): Promise<string> {
  const reply = await askBound(key, proofOf(dpop, { method: 'POST', url: tokenUrl() }))
  expect(reply.status, reply.text).toBe(200)
  expect(reply.json['token_type']).toBe('DPoP')
  return reply.json['access_token'] as string
}
const askBound = (key: Key, proof: string): Promise<Reply> =>
  askToken(server, bySecret(key), { headers: { dpop: proof } })

const show = (token: string, proof: string | null, scheme = 'DPoP', at: TestServer = server): Promise<Reply> =>
  ask(at, path, {
    headers: {
      authorization: `${scheme} ${token}`,
      ...(proof !== null && { dpop: proof }),
      ...(at !== server && { host: new URL(origin).host }),
    },
  })

const claimsIn = (token: string): Json =>
  JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()) as Json

const challengeOf = (reply: Reply): string => String(reply.headers['www-authenticate'])

/** A credential of a service principal that requires DPoP. */
async function strictKey(): Promise<Key> {
  const { world, tenant } = access
  const admin = await access.makeCaller(['system:owner'])
  const { json } = await askToken(server, bySecret(admin))
  const token = json['access_token'] as string
  const made = await ask(server, '/api/v1/service_principals', { token, body: { displayName: 'Robot' } })
  const { id: userId } = made.json['servicePrincipal'] as { id: string }
  const wanted = {
    userId,
    displayName: 'bound',
    lifespanSeconds: 3600,
    allowSourceCidr: [],
    scopedRoles: [],
    kind: 'spc',
    requireDpop: true,
  } as const
  const { credential, clientSecret } = await transact(world.db, (tx) =>
    createCredential(tx, world, operatorCause(tenant, 'test'), wanted),
  )
  return { id: credential.id, userId, clientId: credential.clientId, clientSecret }
}

describe('a token that was asked for with a proof', () => {
  test.each(['ES256', 'ES384', 'EdDSA', 'Ed25519', 'PS256', 'RS256'])(
    'is bound to its key and works with proofs of that key: %s',
    async (alg) => {
      const key = await access.makeCaller(['system:viewer'])
      const dpop = dpopKey(alg)
      const token = await boundToken(key, dpop)
      expect(claimsIn(token)['cnf']).toEqual({ jkt: dpop.jkt })
      const reply = await show(token, proofOf(dpop, { url: here(), token }))
      expect(outcomeOf(reply)).toBe('200')
      expect(reply.json['principleId']).toBe(key.clientId)
    },
  )

  test('can be asked for by assertion too, and one without a proof is a bearer token', async () => {
    const key = await access.makeCaller(['system:viewer'])
    const dpop = dpopKey()
    const headers = { dpop: proofOf(dpop, { method: 'POST', url: tokenUrl() }) }
    const bound = await askToken(server, byAssertion(key, assertionOf(key)), { headers })
    expect(bound.json).toMatchObject({ token_type: 'DPoP', expires_in: 600 })
    const plain = await askToken(server, bySecret(key))
    expect(plain.json['token_type']).toBe('Bearer')
    expect(claimsIn(plain.json['access_token'] as string)['cnf']).toBeUndefined()
  })

  test('is refused as a bearer token, without a proof, and with one of another key', async () => {
    const dpop = dpopKey()
    const token = await boundToken(await access.makeCaller(['system:viewer']), dpop)
    const asBearer = await show(token, null, 'Bearer')
    expect(outcomeOf(asBearer)).toBe('401/16 TOKEN_INVALID')
    expect(challengeOf(asBearer)).toMatch(/^DPoP error="invalid_token", algs="ES256 /)
    expect(outcomeOf(await show(token, proofOf(dpop, { url: here(), token }), 'Bearer'))).toBe('401/16 TOKEN_INVALID')
    const without = await show(token, null)
    expect(outcomeOf(without)).toBe('401/16 DPOP_PROOF_INVALID')
    expect(challengeOf(without)).toMatch(/^DPoP error="invalid_dpop_proof", algs="ES256 /)
    const stolen = await show(token, proofOf(dpopKey(), { url: here(), token }))
    expect(outcomeOf(stolen)).toBe('401/16 DPOP_PROOF_INVALID')
    expect(stolen.json['message']).toContain('not the one that the access token is bound to')
  })

  test('a bearer token is not taken with a proof', async () => {
    const { json } = await askToken(server, bySecret(await access.makeCaller(['system:viewer'])))
    const token = json['access_token'] as string
    expect(outcomeOf(await show(token, proofOf(dpopKey(), { url: here(), token })))).toBe('401/16 TOKEN_INVALID')
    expect(outcomeOf(await show(token, null, 'Bearer'))).toBe('200')
    // A proof beside a bearer token proves nothing and harms nothing.
    expect(outcomeOf(await show(token, 'not a proof', 'Bearer'))).toBe('200')
  })

  test('a token of another tenant is refused before its proof is looked at', async () => {
    const other = await access.makeTenant('dpop.example')
    const key = await access.makeCaller(['system:viewer'], {}, other)
    const dpop = dpopKey()
    const url = 'http://dpop.example/auth/v1/token'
    const headers = { dpop: proofOf(dpop, { method: 'POST', url }) }
    const { json } = await askToken(server, bySecret(key), { host: other.domain, headers })
    const token = json['access_token'] as string
    expect(outcomeOf(await show(token, proofOf(dpop, { url: here(), token })))).toBe('401/16 TOKEN_INVALID')
  })

  test('a revoked or deleted credential is refused whatever is proved', async () => {
    const key = await access.makeCaller(['system:user'])
    const dpop = dpopKey()
    const token = await boundToken(key, dpop)
    await askToken(server, { ...bySecret(key), token }, { path: '/auth/v1/revoke' })
    expect(outcomeOf(await show(token, proofOf(dpop, { url: here(), token })))).toBe('401/16 TOKEN_INVALID')
  })
})

describe('a credential that requires DPoP', () => {
  test('gets no token without a proof, and only bound ones with it', async () => {
    const key = await strictKey()
    const without = await askToken(server, bySecret(key))
    expect(without.status).toBe(400)
    expect(without.json).toMatchObject({ error: 'invalid_dpop_proof' })
    expect(without.headers['www-authenticate']).toBeUndefined()
    const dpop = dpopKey()
    const token = await boundToken(key, dpop)
    expect(outcomeOf(await show(token, proofOf(dpop, { url: here(), token })))).toBe('200')
    // Whoever lacks the secret is told nothing of that.
    const wrong = await askToken(server, { ...bySecret(key), client_secret: 'x' })
    expect(wrong.json['error']).toBe('invalid_client')
  })

  test('does not honour a bearer token, even one that the server itself signed', async () => {
    const key = await strictKey()
    const dpop = dpopKey()
    const { cnf: _, ...claims } = claimsIn(await boundToken(key, dpop))
    const unbound = await access.signToken(claims)
    expect(outcomeOf(await show(unbound, null, 'Bearer'))).toBe('401/16 TOKEN_INVALID')
  })

  test('creates none that does not require it', async () => {
    const { world, tenant } = access
    const key = await strictKey()
    const actor = { userId: key.userId, name: '', email: '', credentialId: key.id, tokenId: 'x' }
    const cause = { ...operatorCause(tenant, 'test'), actor }
    const wanted = {
      userId: key.userId,
      displayName: 'child',
      lifespanSeconds: 60,
      allowSourceCidr: [],
      scopedRoles: [],
    }
    const create = (requireDpop: boolean) =>
      transact(world.db, (tx) => createCredential(tx, world, cause, { ...wanted, kind: 'spc', requireDpop }))
    await expect(create(false)).rejects.toThrow('requireDpop: must be true')
    expect((await create(true)).credential.requireDpop).toBe(true)
  })

  test('is not believed when its row was changed by another hand', async () => {
    const key = await strictKey()
    await access.world.db`update credentials set require_dpop = false where credential_id = ${key.id}`
    expect((await askToken(server, bySecret(key))).json['error']).toBe('invalid_client')
    const plain = await access.makeCaller(['system:viewer'])
    await access.world.db`update credentials set require_dpop = true where credential_id = ${plain.id}`
    const reply = await askBound(plain, proofOf(dpopKey(), { method: 'POST', url: tokenUrl() }))
    expect(reply.json['error']).toBe('invalid_client')
  })
})

describe('a proof', () => {
  let dpop: DpopKey
  let key: Key
  let token: string
  beforeAll(async () => {
    dpop = dpopKey()
    key = await access.makeCaller(['system:viewer'])
    token = await boundToken(key, dpop)
  })
  const proof = (options: Partial<ProofOptions> = {}): string => proofOf(dpop, { url: here(), token, ...options })
  const now = (): number => Math.floor(Date.now() / 1000)

  test('is taken once, by all servers together, and at the token endpoint too', async () => {
    const one = proof()
    expect(outcomeOf(await show(token, one))).toBe('200')
    const again = await show(token, one)
    expect(outcomeOf(again)).toBe('401/16 DPOP_PROOF_INVALID')
    expect(again.json['message']).toContain('jti was used before')
    const { port } = new URL(server.url)
    const other = proof()
    const replies = await Promise.all(
      [server, beside, server, beside].map((at) =>
        ask(at, path, { host: `localhost:${port}`, headers: { authorization: `DPoP ${token}`, dpop: other } }),
      ),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter((reply) => outcomeOf(reply) === '401/16 DPOP_PROOF_INVALID')).toHaveLength(3)
    const asked = proofOf(dpop, { method: 'POST', url: tokenUrl() })
    const tokens = await Promise.all([askBound(key, asked), askBound(key, asked)])
    expect(tokens.map(({ json }) => String(json['error'])).toSorted()).toEqual(['invalid_dpop_proof', 'undefined'])
  })

  const hmac = (): string => {
    const jwk = { kty: 'oct', k: Buffer.from('secret').toString('base64url') }
    const head = encodePart({ typ: 'dpop+jwt', alg: 'HS256', jwk })
    const body = encodePart({ jti: 'x', htm: 'GET', htu: here(), iat: now() })
    return `${head}.${body}.${createHmac('sha256', 'secret').update(`${head}.${body}`).digest('base64url')}`
  }
  /** Signed with the public key as a shared secret. */
  const confused = (): string => {
    const head = encodePart({ typ: 'dpop+jwt', alg: 'HS256', jwk: dpop.publicJwk })
    const body = encodePart({ jti: 'x', htm: 'GET', htu: here(), iat: now() })
    const secret = JSON.stringify(dpop.publicJwk)
    return `${head}.${body}.${createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url')}`
  }
  const wrong: [string, () => string][] = [
    ['of another method', () => proof({ method: 'POST' })],
    ['with the method in lower case', () => proof({ method: 'get' })],
    ['of another path', () => proof({ url: `${origin}/api/v1/apps` })],
    ['of another host', () => proof({ url: `http://elsewhere.example${path}` })],
    ['of another scheme', () => proof({ url: here().replace('http:', 'https:') })],
    ['of another port', () => proof({ url: `http://localhost:1${path}` })],
    ['with a path without host', () => proof({ url: path })],
    ['with a user in its address', () => proof({ url: here().replace('//', '//user@') })],
    ['without htu', () => proof({ claims: { htu: undefined } })],
    ['with htu as a list', () => proof({ claims: { htu: [here()] } })],
    ['without htm', () => proof({ claims: { htm: undefined } })],
    ['without jti', () => proof({ claims: { jti: undefined } })],
    ['with an empty jti', () => proof({ claims: { jti: '' } })],
    ['with a jti that is too long', () => proof({ claims: { jti: 'x'.repeat(256) } })],
    ['without iat', () => proof({ claims: { iat: undefined } })],
    ['with iat as text', () => proof({ claims: { iat: String(now()) } })],
    ['without ath', () => proof({ claims: { ath: undefined } })],
    ['of another access token', () => proof({ token: `${token}x` })],
    ['of another type', () => proof({ header: { typ: 'JWT' } })],
    ['without a type', () => proof({ header: { typ: undefined } })],
    ['without a key', () => proof({ header: { jwk: undefined } })],
    ['with a private key', () => proof({ header: { jwk: dpop.privateKey.export({ format: 'jwk' }) } })],
    ['with an empty private part', () => proof({ header: { jwk: { ...dpop.publicJwk, d: '' } } })],
    ['with a key of text', () => proof({ header: { jwk: 'x' } })],
    [
      'with a point that is not on the curve',
      () => proof({ header: { jwk: { ...dpop.publicJwk, x: dpop.publicJwk['y'] } } }),
    ],
    ['with a header that must be understood', () => proof({ header: { crit: ['x'], x: 1 } })],
    ['signed by another key than it names', () => proof({ header: { jwk: dpopKey().publicJwk } })],
    ['with an algorithm that does not fit its key', () => proof({ header: { alg: 'ES384' } })],
    ['with ES512, which is not offered', () => proofOf(dpopKey('ES512'), { url: here(), token })],
    [
      'without signature',
      () =>
        `${proof({ header: { alg: 'none' } })
          .split('.')
          .slice(0, 2)
          .join('.')}.`,
    ],
    ['with alg none and a signature', () => proof({ header: { alg: 'none' } })],
    ['signed with a shared secret', hmac],
    ['signed with the public key as a shared secret', confused],
    [
      'of claims that are no object',
      () => {
        const head = encodePart({ typ: 'dpop+jwt', alg: 'ES256', jwk: dpop.publicJwk })
        const text = `${head}.${encodePart(['x'])}`
        return `${text}.${signAs('ES256', dpop.privateKey, text)}`
      },
    ],
    ['twice in one header', () => `${proof()}, ${proof()}`],
    ['of nothing', () => ''],
    ['of something else', () => 'x.y.z'],
  ]
  test.each(wrong)('is refused %s', async (_, make) => {
    const reply = await show(token, make())
    expect(outcomeOf(reply)).toBe('401/16 DPOP_PROOF_INVALID')
    expect(challengeOf(reply)).toMatch(/^DPoP error="invalid_dpop_proof"/)
    // And as little at the token endpoint, where none of these is about it.
    const asked = await askBound(key, make())
    expect(`${asked.status} ${String(asked.json['error'])}`).toBe('400 invalid_dpop_proof')
  })

  test('may write its address in another way, with a query, a fragment or another case of the host', async () => {
    for (const url of [
      `${here()}?x=1`,
      `${here()}#x`,
      here().replace('localhost', 'LOCALHOST'),
      here().replace('auth/i', 'auth/%69'),
    ])
      expect(outcomeOf(await show(token, proof({ url }))), url).toBe('200')
    // The path that was called counts as it came, and not where its dots would lead.
    const dotted = await ask(server, '/api/v1/apps/../entitlements', {
      headers: { authorization: `DPoP ${token}`, dpop: proof({ url: `${origin}/api/v1/entitlements` }) },
    })
    expect(outcomeOf(dotted)).toBe('401/16 DPOP_PROOF_INVALID')
  })

  test('is judged by the public address behind a proxy', async () => {
    const other = await access.makeTenant('proxied.example')
    const client = await access.makeCaller(['system:viewer'], {}, other)
    const headers = { 'x-forwarded-proto': 'https' }
    const bind = (url: string) =>
      askToken(server, bySecret(client), {
        host: other.domain,
        headers: { ...headers, dpop: proofOf(dpop, { method: 'POST', url }) },
      })
    expect((await bind('http://proxied.example/auth/v1/token')).json['error']).toBe('invalid_dpop_proof')
    const { json } = await bind('https://proxied.example/auth/v1/token')
    const bound = json['access_token'] as string
    const dpopProof = proofOf(dpop, { url: `https://proxied.example${path}`, token: bound })
    const reply = await ask(server, path, {
      host: other.domain,
      headers: { ...headers, authorization: `DPoP ${bound}`, dpop: dpopProof },
    })
    expect(outcomeOf(reply)).toBe('200')
  })

  test('may be a minute old or half a minute ahead; beyond that the server gives a nonce to use instead of the clock', async () => {
    for (const iat of [now() - 30, now() + 20])
      expect(outcomeOf(await show(token, proof({ claims: { iat } })))).toBe('200')
    for (const iat of [now() - 65, now() + 600, 0, -1, 1e300]) {
      const late = await show(token, proof({ claims: { iat } }))
      expect(outcomeOf(late)).toBe('401/16 DPOP_NONCE_REQUIRED')
      expect(challengeOf(late)).toMatch(/^DPoP error="use_dpop_nonce"/)
      const nonce = late.headers['dpop-nonce']
      expect(nonce).toMatch(/^[\w.-]+$/)
      const once = proof({ claims: { iat, nonce } })
      expect(outcomeOf(await show(token, once))).toBe('200')
      expect(outcomeOf(await show(token, once))).toBe('401/16 DPOP_PROOF_INVALID')
    }
  })

  test('with a nonce that is not ours, is of another tenant or has ended is refused, and told the next one', async () => {
    const { world, tenant } = access
    const { newNonce } = await import('#rooms/identity/tokens/dpop/nonce.ts')
    const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000)
    const nonces = [
      'x',
      'abc.def',
      newNonce(world.seals, tenant.id + 1, ago(0)),
      newNonce(world.seals, tenant.id, ago(301)),
    ]
    for (const nonce of [...nonces, null, 1]) {
      const reply = await show(token, proof({ claims: { nonce } }))
      expect(outcomeOf(reply)).toBe('401/16 DPOP_NONCE_REQUIRED')
    }
    const old = await show(token, proof({ claims: { nonce: newNonce(world.seals, tenant.id, ago(200)) } }))
    expect(outcomeOf(old)).toBe('200')
    // The next one comes before it ends.
    expect(old.headers['dpop-nonce']).toMatch(/^[\w.-]+$/)
    const fresh = await show(token, proof({ claims: { nonce: newNonce(world.seals, tenant.id, ago(1)) } }))
    expect(fresh.headers['dpop-nonce']).toBeUndefined()
    const asked = await askBound(key, proofOf(dpop, { method: 'POST', url: tokenUrl(), claims: { iat: now() - 3600 } }))
    expect(`${asked.status} ${String(asked.json['error'])}`).toBe('400 use_dpop_nonce')
    const nonce = asked.headers['dpop-nonce']
    const again = proofOf(dpop, { method: 'POST', url: tokenUrl(), claims: { iat: now() - 3600, nonce } })
    expect((await askBound(key, again)).status).toBe(200)
  })

  test('a refused one is recorded, and one of a connector is refused', async () => {
    await show(token, proofOf(dpopKey(), { url: here(), token }))
    const rows = await access.world.db<{ code: string }[]>`
      select event::jsonb ->> 'status_code' as code from systemlog_events
      where tenant_id = ${access.tenant.id} and event like '%DPOP_PROOF_INVALID%' limit 1`
    expect(rows[0]?.code).toBe('DPOP_PROOF_INVALID')
    const form = { ...bySecret(key), client_id: `x@${access.tenant.domain}/connector` }
    const reply = await askToken(server, form, { headers: { dpop: proof() } })
    expect(reply.json).toMatchObject({ error: 'invalid_request' })
  })
})

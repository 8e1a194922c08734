import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { ask, eventually, getToken, type Json } from '../fixture/access.ts'
import { longTest } from '../fixture/long.ts'
import { startServer } from '../fixture/server.ts'
import { call, good, patch, post, scene } from '../principals/scene.ts'
import { type Issuer, type Key, makeKey, signBy, startIssuer } from './issuer.ts'
import {
  exchange,
  lastAttempt,
  makeProvider,
  makeTrust,
  prepareFederation,
  providers,
  refused,
  stage,
  trustPath,
} from './scene.ts'

let aheadMs = 0
/** The clock stands while an issuer is asked: what is counted for fifteen seconds is not over because the machine is busy. */
let stoodAt: number | null = null
const serverNow = (): number => (stoodAt ?? Date.now()) + aheadMs
prepareFederation({ clock: { now: () => new Date(serverNow()) } })

const unavailable = { error: 'temporarily_unavailable' }

/** With an issuer of its own, a trust in it, and a token for the time of the server. */
async function withIssuer(work: (issuer: Issuer, at: { trust: Trusted; token(by?: Key): string }) => Promise<void>) {
  const issuer = await startIssuer()
  stoodAt = Date.now()
  try {
    // Its own has expired where the clock was moved.
    scene.admin.token = await getToken(scene.server, scene.admin)
    const providerId = await makeProvider({ issuerUrl: issuer.url })
    const trust = await makeTrust({ providerId })
    const now = () => Math.floor(serverNow() / 1000)
    const token = (by = issuer.keys[0] as Key) =>
      signBy(by, issuer.claims({ iat: now(), nbf: now() - 5, exp: now() + 300 }))
    await work(issuer, { trust, token })
  } finally {
    stoodAt = null
    await issuer.stop()
  }
}
type Trusted = Awaited<ReturnType<typeof makeTrust>>

test('keys are read once for many tokens, and again when a token has an unknown key', async () => {
  await withIssuer(async (issuer, { trust, token }) => {
    const many = await Promise.all(Array.from({ length: 6 }, () => exchange(trust, token())))
    expect(many.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys'])
    // Rotated in the middle: the new key counts at once, and the old one no longer.
    const old = issuer.keys[0] as Key
    issuer.keys = [makeKey()]
    expect((await exchange(trust, token())).status).toBe(200)
    expect((await exchange(trust, token(old))).json).toEqual(refused)
    expect(await lastAttempt(trust)).toMatchObject({ reason: 'key_not_found' })
    expect(issuer.asked.length).toBe(4)
    // Whoever invents keys makes us ask no more often than that.
    for (let at = 0; at < 5; at++) expect((await exchange(trust, token(makeKey('ES256')))).json).toEqual(refused)
    expect(issuer.asked.length).toBe(4)
    aheadMs += 16_000
    issuer.keys = [makeKey()]
    expect((await exchange(trust, token())).status).toBe(200)
    expect(issuer.asked.length).toBe(6)
  })
})

test('two keys of one name are both tried, and a token without a name needs that there is one key only', async () => {
  await withIssuer(async (issuer, { trust, token }) => {
    const [one, other] = [makeKey(), makeKey()]
    issuer.keys = [one, { ...other, kid: one.kid, jwk: { ...other.jwk, kid: one.kid } }]
    expect((await exchange(trust, token({ ...other, kid: one.kid }))).status).toBe(200)
    expect((await exchange(trust, token({ ...one, kid: undefined as unknown as string }))).json).toEqual(refused)
  })
  await withIssuer(async (issuer, { trust, token }) => {
    const nameless = { ...(issuer.keys[0] as Key), kid: undefined as unknown as string }
    expect((await exchange(trust, token(nameless))).status).toBe(200)
  })
})

test('keys that are not for signatures, too small, or made to be slow are none', async () => {
  await withIssuer(async (issuer, { trust, token }) => {
    const key = issuer.keys[0] as Key
    const as = (more: Json): Key => ({ ...key, jwk: { ...key.jwk, ...more } })
    for (const jwk of [
      { use: 'enc' },
      { key_ops: ['sign'] },
      { alg: 'RS512' },
      { e: 'A'.repeat(300) },
      { n: 'AQAB' },
    ]) {
      issuer.keys = [as(jwk)]
      aheadMs += 16_000
      expect((await exchange(trust, token())).json, JSON.stringify(jwk)).toEqual(refused)
    }
  })
})

describe('an issuer that', () => {
  const answers: [string, (path: string, reply: ServerResponse) => boolean, RegExp][] = [
    ['answers 500', (_, reply) => Boolean(reply.writeHead(500).end()), /answers 500 for its discovery document/],
    [
      'redirects',
      (_, reply) => Boolean(reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()),
      /answers 302 for its discovery document/,
    ],
    ['serves something else', (_, reply) => Boolean(reply.end('<html>')), /is not a JSON object/],
    [
      'says that it is another',
      (path, reply) => path.startsWith('/.well-known') && Boolean(reply.end('{"issuer":"https://x","jwks_uri":"y"}')),
      /belongs to another issuer/,
    ],
    [
      'serves 100 MB',
      (path, reply) => {
        if (path !== '/keys') return false
        const piece = Buffer.alloc(1024 * 1024, ' ')
        let sent = 0
        const more = (): void => {
          while (sent++ < 100 && !reply.destroyed) if (!reply.write(piece)) return void reply.once('drain', more)
          reply.end()
        }
        more()
        return true
      },
      /is larger than 256 KiB/,
    ],
    [
      'names an address of keys that must not be called',
      (path, reply) =>
        path.startsWith('/.well-known') &&
        Boolean(
          reply.end(
            JSON.stringify({ issuer: `http://${reply.req.headers.host}`, jwks_uri: 'http://169.254.169.254/' }),
          ),
        ),
      /not allowed/,
    ],
  ]
  test.each(answers)('%s is not available, and that is told to whoever may know', async (_, instead, problem) => {
    await withIssuer(async (issuer, { trust, token }) => {
      issuer.instead = instead
      const reply = await exchange(trust, token())
      expect([reply.status, reply.json]).toEqual([503, expect.objectContaining(unavailable)])
      expect(reply.headers['retry-after']).toBe('15')
      expect(await lastAttempt(trust)).toMatchObject({
        reason: 'issuer_unavailable',
        failedStep: 'signatureValidation',
      })
      expect((await lastAttempt(trust))['detail']).toMatch(problem)
      // Not asked for each token: it is down, and many wait for it.
      const count = issuer.asked.length
      await exchange(trust, token())
      expect(issuer.asked.length).toBe(count)
      // It comes back.
      issuer.instead = null
      aheadMs += 16_000
      expect((await exchange(trust, token())).status).toBe(200)
    })
  })

  longTest('does not answer is not available, and others are not kept waiting', async () => {
    await withIssuer(async (issuer, { trust, token }) => {
      issuer.instead = () => true
      const other = await makeTrust()
      const hanging = exchange(trust, token())
      const now = Math.floor(serverNow() / 1000)
      const times = { iat: now, nbf: now, exp: now + 60 }
      expect((await exchange(other, stage.issuer.token(times))).status).toBe(200)
      expect((await hanging).status).toBe(503)
    })
  })

  test('goes down is trusted by the keys that are known, for twelve hours', async () => {
    await withIssuer(async (issuer, { trust, token }) => {
      expect((await exchange(trust, token())).status).toBe(200)
      let unanswered: ServerResponse | undefined
      issuer.instead = (_, reply) => {
        unanswered = reply
        return true
      }
      aheadMs += 10 * 60_000
      expect((await exchange(trust, token())).status).toBe(200)
      // Nobody waits while it is asked.
      expect(unanswered?.destroyed ?? false).toBe(false)
      issuer.instead = (_, reply) => Boolean(reply.writeHead(500).end())
      aheadMs += 11 * 3_600_000
      expect((await exchange(trust, token())).status).toBe(200)
      aheadMs += 3_600_000
      expect((await exchange(trust, token())).status).toBe(503)
    })
  })
})

describe('SPIFFE', () => {
  const body = (issuer: Issuer): Json => ({
    issuerUrl: 'spiffe://larkfield.example',
    wellKnownProvider: 'WELL_KNOWN_WORKLOAD_PROVIDER_SPIFFE',
    spiffe: { bundleEndpointUrl: `${issuer.url}/bundle` },
  })
  const spiffeTrust = async (issuer: Issuer) => {
    const providerId = await makeProvider(body(issuer))
    return makeTrust({ providerId, conditionExpression: 'url(claims.sub).path.startsWith("/ns/prod/")' })
  }
  const svid = (issuer: Issuer, claims: Json = {}): string => {
    const exp = Math.floor(serverNow() / 1000) + 300
    const usual = { aud: ['localhost'], sub: 'spiffe://larkfield.example/ns/prod/sa/deploy', exp }
    return signBy(issuer.keys[0] as Key, { ...usual, ...claims })
  }

  test('is trusted by the bundle of its trust domain, without iss and iat', async () => {
    await withIssuer(async (issuer) => {
      const trust = await spiffeTrust(issuer)
      expect((await exchange(trust, svid(issuer))).status).toBe(200)
      expect(issuer.asked).toEqual(['/bundle'])
      for (const [sub, reason] of [
        ['spiffe://other.example/ns/prod/sa/deploy', 'issuer_mismatch'],
        ['spiffe://larkfield.example.evil/ns/prod/x', 'issuer_mismatch'],
        ['spiffe://larkfield.example/ns/../prod', 'subject_invalid'],
        ['spiffe://larkfield.example:443/ns/prod', 'subject_invalid'],
        ['https://larkfield.example/ns/prod/x', 'subject_invalid'],
        ['spiffe://larkfield.example/ns/test/x', 'cel_condition_not_met'],
      ] as const) {
        expect((await exchange(trust, svid(issuer, { sub }))).json).toEqual(refused)
        expect(await lastAttempt(trust)).toMatchObject({ reason })
      }
      const old = Math.floor(serverNow() / 1000) - 700
      expect((await exchange(trust, svid(issuer, { iat: old }))).json).toEqual(refused)
    })
  })

  test('takes no keys that are for certificates', async () => {
    await withIssuer(async (issuer) => {
      const trust = await spiffeTrust(issuer)
      issuer.instead = (path, reply) =>
        path === '/bundle' &&
        Boolean(reply.end(JSON.stringify({ keys: [{ ...issuer.keys[0]?.jwk, use: 'x509-svid' }] })))
      expect((await exchange(trust, svid(issuer))).json).toEqual(refused)
      expect(await lastAttempt(trust)).toMatchObject({ reason: 'key_not_found' })
    })
  })
})

test('an issuer at a private address is not called unless the operator allows it', async () => {
  aheadMs = 0
  const server = await startServer({ beside: scene.server, flags: { 'outgoing-http': true } })
  const before = scene.server
  try {
    await withIssuer(async (issuer, { trust, token }) => {
      scene.server = server
      const reply = await exchange(trust, token())
      expect(reply.status).toBe(503)
      expect(issuer.asked).toEqual([])
      const asked = await post(scene.admin, providers, { displayName: 'x', issuerUrl: 'http://127.0.0.1:9/' })
      expect([asked.status, asked.text]).toEqual([400, expect.stringMatching(/issuerUrl: is not allowed/)])
      scene.server = before
    })
  } finally {
    scene.server = before
    await server.stop()
  }
})

test('what one server changes counts on another within a second', async () => {
  const other = await startServer({
    beside: scene.server,
    flags: { 'outgoing-http': true, 'outgoing-allow': ['127.0.0.1'] },
  })
  try {
    aheadMs = 0
    scene.admin.token = await getToken(scene.server, scene.admin)
    const trust = await makeTrust()
    const reply = await exchange(trust, stage.issuer.token())
    const token = reply.json['access_token'] as string
    const status = async () => (await ask(other, '/api/v1/users', { token, host: hostOf(scene.server.url) })).status
    expect(await status()).toBe(200)
    good(await patch(scene.admin, trustPath(trust), { trust: { disabled: true } }))
    expect(await eventually(async () => (await status()) === 401)).toBe(true)
    expect((await call({ token }, '/api/v1/users')).status).toBe(401)
  } finally {
    await other.stop()
  }
})

const hostOf = (url: string): string => new URL(url).host

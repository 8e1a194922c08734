import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodePart, type Json, nowSeconds } from '../fixture/access.ts'

export type Key = { kid: string; alg: string; privateKey: KeyObject; jwk: Json }

/** A key of an issuer; RS256 unless said. */
export function makeKey(alg: 'RS256' | 'PS256' | 'ES256' | 'EdDSA' = 'RS256', more: Json = {}): Key {
  const { publicKey, privateKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : alg === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 })
  const kid = randomUUID()
  return { kid, alg, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig', ...more } }
}

let first: Key | undefined
/** The first key of each issuer, under a name of its own: to make one takes a quarter of a second. */
function firstKey(): Key {
  first ??= makeKey()
  const kid = randomUUID()
  return { ...first, kid, jwk: { ...first.jwk, kid } }
}

/** A JWT made by hand: neither jose's nor the server's own code. */
export function signBy({ kid, alg, privateKey }: Key, claims: unknown, header: Json = {}): string {
  const signed = `${encodePart({ alg, kid, typ: 'JWT', ...header })}.${encodePart(claims)}`
  const data = Buffer.from(signed)
  const signature =
    alg === 'EdDSA'
      ? sign(null, data, privateKey)
      : alg === 'ES256'
        ? sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
        : sign('sha256', data, alg === 'PS256' ? { key: privateKey, padding: 6, saltLength: 32 } : privateKey)
  return `${signed}.${signature.toString('base64url')}`
}

type Serve = (path: string, reply: ServerResponse) => boolean

export type Issuer = {
  url: string
  keys: Key[]
  /** Which paths were asked for. */
  asked: string[]
  /** Answers in place of the usual one, where it returns true. */
  instead: Serve | null
  /** The claims of a token that is right, with some of them as given; undefined leaves one out. */
  claims(claims?: Json): Json
  token(claims?: Json, header?: Json): string
  stop(): Promise<void>
}

/** An issuer of OpenID Connect that does as it is told. */
export async function startIssuer(audience = 'localhost'): Promise<Issuer> {
  const server = createServer((request, reply) => {
    const path = request.url ?? ''
    issuer.asked.push(path)
    if (issuer.instead?.(path, reply)) return
    const documents: Record<string, object> = {
      '/.well-known/openid-configuration': { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` },
      '/keys': { keys: issuer.keys.map(({ jwk }) => jwk) },
      '/bundle': {
        keys: issuer.keys.map(({ jwk }) => ({ ...jwk, use: 'jwt-svid' })),
        spiffe_sequence: 1,
        spiffe_refresh_hint: 300,
      },
    }
    const document = documents[path]
    reply.writeHead(document ? 200 : 404, { 'content-type': 'application/json' })
    reply.end(JSON.stringify(document ?? {}))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const issuer: Issuer = {
    url: `http://127.0.0.1:${port}`,
    keys: [firstKey()],
    asked: [],
    instead: null,
    claims(claims = {}) {
      const now = Math.floor(nowSeconds())
      return {
        iss: issuer.url,
        aud: audience,
        sub: 'repo:larkfield/deploy:ref:refs/heads/main',
        repository_id: '4711',
        exp: now + 300,
        nbf: now - 5,
        iat: now,
        jti: randomUUID(),
        ...claims,
      }
    },
    token: (claims, header) => signBy(issuer.keys[0] as Key, issuer.claims(claims), header),
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  return issuer
}

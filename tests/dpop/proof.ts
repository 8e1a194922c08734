import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { encodePart, type Json } from '../fixture/access.ts'

/** A key of a client, as DPoP uses one. Made by hand: neither jose nor the server's own code. */
export type DpopKey = { publicJwk: Json; privateKey: KeyObject; alg: string; jkt: string }

const members: Record<string, string[]> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
}

export function dpopKey(alg = 'ES256'): DpopKey {
  const { publicKey, privateKey } = pairFor(alg)
  const publicJwk = publicKey.export({ format: 'jwk' }) as Json
  const required = Object.fromEntries(
    (members[publicJwk['kty'] as string] as string[]).map((name) => [name, publicJwk[name]]),
  )
  const jkt = createHash('sha256').update(JSON.stringify(required)).digest('base64url')
  return { publicJwk, privateKey, alg, jkt }
}

function pairFor(alg: string): { publicKey: KeyObject; privateKey: KeyObject } {
  if (alg === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  if (alg === 'ES384') return generateKeyPairSync('ec', { namedCurve: 'P-384' })
  if (alg === 'ES512') return generateKeyPairSync('ec', { namedCurve: 'P-521' })
  if (alg === 'EdDSA' || alg === 'Ed25519') return generateKeyPairSync('ed25519')
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

export function signAs(alg: string, key: KeyObject, text: string): string {
  const data = Buffer.from(text)
  if (alg.startsWith('ES'))
    return sign(`sha${alg.slice(2)}`, data, { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  if (alg === 'PS256') return sign('sha256', data, { key, padding: 6, saltLength: 32 }).toString('base64url')
  if (alg === 'RS256') return sign('sha256', data, key).toString('base64url')
  return sign(null, data, key).toString('base64url')
}

export type ProofOptions = {
  method?: string
  url: string
  /** The access token that it goes with. */
  token?: string
  claims?: Json
  header?: Json
}

/** A proof that is right, but for what is given; undefined leaves a claim out. */
export function proofOf(key: DpopKey, { method = 'GET', url, token, claims = {}, header = {} }: ProofOptions): string {
  const head = encodePart({ typ: 'dpop+jwt', alg: key.alg, jwk: key.publicJwk, ...header })
  const body = encodePart({
    jti: randomUUID(),
    htm: method,
    htu: url,
    iat: Math.floor(Date.now() / 1000),
    ...(token !== undefined && { ath: createHash('sha256').update(token).digest('base64url') }),
    ...claims,
  })
  return `${head}.${body}.${signAs(key.alg, key.privateKey, `${head}.${body}`)}`
}

import { createPublicKey, type KeyObject } from 'node:crypto'
import { compactVerify } from 'jose'
import type { Jwk } from '../keys/fetch.ts'

/** Asymmetric algorithms only: with HS256 the public key of the issuer would be a secret that everybody knows. */
const algorithms = {
  RS256: 'RSA',
  RS384: 'RSA',
  RS512: 'RSA',
  PS256: 'RSA',
  PS384: 'RSA',
  PS512: 'RSA',
  ES256: 'EC',
  ES384: 'EC',
  ES512: 'EC',
  EdDSA: 'OKP',
  Ed25519: 'OKP',
} as const
type Algorithm = keyof typeof algorithms
export const allowedAlgorithms = Object.keys(algorithms)

export const tokenBytesMax = 16 * 1024

export type ClaimSet = { readonly [name: string]: unknown }
export type Decoded = {
  token: string
  algorithm: Algorithm
  /** Null if the token does not name the key that signed it. */
  keyId: string | null
  claims: ClaimSet
  /** The claims as they were signed. */
  payload: string
}

/** The content of a token, not verified; or why it cannot be read. */
export function decodeToken(token: string): Decoded | { problem: string } {
  if (token.length > tokenBytesMax) return { problem: `it has more than ${tokenBytesMax / 1024} KiB` }
  const [headerPart, payloadPart, signature, ...more] = token.split('.')
  if (!headerPart || !payloadPart || signature === undefined || more.length > 0)
    return { problem: 'it is not a signed JWT, which has three parts separated by dots' }
  const header = jsonIn(headerPart)
  const payload = textIn(payloadPart)
  const claims = payload === null ? null : objectIn(payload)
  if (!header || payload === null || !claims) return { problem: 'its header or payload is not JSON in base64url' }
  const { alg, kid, crit } = header
  // RFC 7515 section 4.1.11: extensions that must be understood. None are supported.
  if (crit !== undefined) return { problem: 'its header has crit, with extensions that are not supported' }
  if (typeof alg !== 'string' || !Object.hasOwn(algorithms, alg))
    return { problem: `its alg is not one of ${allowedAlgorithms.join(', ')}` }
  if (signature === '' || textIn(signature, 'latin1') === null) return { problem: 'its signature is not base64url' }
  // The headers jwk, jku, x5u and x5c are ignored: a token does not decide which key to trust.
  return {
    token,
    algorithm: alg as Algorithm,
    keyId: typeof kid === 'string' ? kid : null,
    claims,
    payload,
  }
}

/** Decodes canonical base64url; null for anything else. */
function textIn(part: string, encoding: 'utf8' | 'latin1' = 'utf8'): string | null {
  const bytes = Buffer.from(part, 'base64url')
  if (bytes.toString('base64url') !== part) return null
  if (encoding === 'latin1') return bytes.toString('latin1')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function jsonIn(part: string): ClaimSet | null {
  const text = textIn(part)
  return text === null ? null : objectIn(text)
}

function objectIn(text: string): ClaimSet | null {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as ClaimSet) : null
  } catch {
    return null
  }
}

// Several keys with one name are tried; an issuer has no reason for more.
const triedMax = 4

/** The keys that may have signed a token: by their name, type and use. */
export function keysFor({ algorithm, keyId }: Decoded, keys: readonly Jwk[]): Jwk[] {
  const fitting = keys.filter(
    ({ kty, alg, key_ops }) =>
      kty === algorithms[algorithm] &&
      (alg === undefined || alg === algorithm || isEdDsa(alg, algorithm)) &&
      (!Array.isArray(key_ops) || key_ops.includes('verify')),
  )
  if (keyId !== null) return fitting.filter(({ kid }) => kid === keyId).slice(0, triedMax)
  // OpenID Connect Core section 10.1: without a kid there has to be exactly one key.
  return fitting.length === 1 ? fitting : []
}

// One algorithm by its two names: RFC 8037 and RFC 9864.
const isEdDsa = (one: unknown, other: string): boolean =>
  [one, other].every((name) => name === 'EdDSA' || name === 'Ed25519')

const imported = new WeakMap<Jwk, KeyObject | null>()

/** Large RSA exponents and moduli can make verification slow: 65537 has 3 bytes. */
const [exponentBytesMax, modulusBytesMin, modulusBytesMax] = [4, 256, 1024]

function importKey(jwk: Jwk): KeyObject | null {
  const known = imported.get(jwk)
  if (known !== undefined) return known
  let key: KeyObject | null = null
  try {
    const { kty, n, e, crv, x, y } = jwk
    const sizeOf = (part: unknown): number => Buffer.from(String(part), 'base64url').length
    const isUsual =
      kty !== 'RSA' || (sizeOf(e) <= exponentBytesMax && sizeOf(n) >= modulusBytesMin && sizeOf(n) <= modulusBytesMax)
    // Only the public parts: private ones that an issuer publishes by mistake are ignored.
    const publicParts = kty === 'RSA' ? { kty, n, e } : { kty, crv, x, ...(y !== undefined && { y }) }
    key = isUsual ? createPublicKey({ key: publicParts as never, format: 'jwk' }) : null
  } catch {
    // A key that cannot be read is treated as missing.
  }
  imported.set(jwk, key)
  return key
}

/** Whether one of these keys has signed the token. */
export async function isSignedBy({ token, algorithm }: Decoded, keys: readonly Jwk[]): Promise<boolean> {
  for (const jwk of keys) {
    const key = importKey(jwk)
    if (!key) continue
    try {
      await compactVerify(token, key, { algorithms: [algorithm] })
      return true
    } catch {
      // Signed with another key, or not at all.
    }
  }
  return false
}

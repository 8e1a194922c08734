import { hash, type KeyObject } from 'node:crypto'
import { compactVerify } from 'jose'

/** RFC 7523 section 3, as restricted by the specification. Each problem is the message in the response. */
const lifetimeSecondsMax = 300
const skewSeconds = 30
const jtiLengthMax = 255

type ClaimSet = { readonly [name: string]: unknown }
export type Assertion = { jti: string | null; expiresAt: Date }

// One algorithm with two names: RFC 8037 calls it EdDSA, RFC 9864 Ed25519, and libraries send either.
const algorithms = ['EdDSA', 'Ed25519']

/** The claims of an assertion that this key signed, or null. These keys can only be used with EdDSA. */
export async function verifySignature(assertion: string, key: KeyObject): Promise<ClaimSet | null> {
  // jose ignores the spare bits of the last character: with those changed, the signature would still be accepted.
  const signature = assertion.slice(assertion.lastIndexOf('.') + 1)
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) return null
  try {
    const { payload } = await compactVerify(assertion, key, { algorithms })
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
    return typeof claims === 'object' && claims !== null && !Array.isArray(claims) ? (claims as ClaimSet) : null
  } catch {
    return null
  }
}

/** What is wrong with the claims, or their values. */
export function checkClaims(claims: ClaimSet, clientId: string, domain: string, now: Date): Assertion | string {
  const nowSeconds = now.getTime() / 1000
  const { iss, sub, aud, exp, nbf, jti } = claims
  if (iss !== clientId) return 'iss must be the client id'
  if (sub !== clientId) return 'sub must be the client id'
  if (![aud].flat().some((each) => audiencesOf(domain).includes(each as string))) return `aud must be ${domain}`
  if (typeof exp !== 'number' || !Number.isFinite(exp)) return 'exp is required, as a number of seconds'
  if (exp <= nowSeconds) return 'exp is in the past'
  if (exp > nowSeconds + lifetimeSecondsMax) return 'exp must be within five minutes'
  if (nbf !== undefined && (typeof nbf !== 'number' || nbf > nowSeconds + skewSeconds)) return 'nbf is in the future'
  if (
    jti !== undefined &&
    (typeof jti !== 'string' || jti.length > jtiLengthMax || jti.includes('\0') || !jti.isWellFormed())
  )
    return `jti must be text of at most ${jtiLengthMax} characters`
  return { jti: jti ?? null, expiresAt: new Date(exp * 1000) }
}

/** A tenant's domain, with and without its port. */
export const audiencesOf = (domain: string): string[] => [domain, domain.replace(/:\d+$/, '')]

/**
 * The identifier under which an assertion without a `jti` is remembered: a hash of what was signed. The signature is
 * excluded, so that a different encoding of it is not taken for another assertion; what was signed has only one
 * encoding.
 */
export const contentId = (assertion: string): string =>
  `sha256 ${hash('sha256', assertion.slice(0, assertion.lastIndexOf('.')), 'base64url')}`

import { hash, type KeyObject } from 'node:crypto'
import { compactVerify } from 'jose'

/** RFC 7523 section 3, as the specification narrows it. Each problem is what the caller is told. */
const lifetimeSecondsMax = 300
const skewSeconds = 30
const jtiLengthMax = 255

type ClaimSet = { readonly [name: string]: unknown }
export type Assertion = { jti: string | null; expiresAt: Date }

// One algorithm by its two names: RFC 8037 calls it EdDSA, RFC 9864 Ed25519, and libraries send the one or the other.
const algorithms = ['EdDSA', 'Ed25519']

/** The claims of an assertion that this key signed, or null. Nothing but EdDSA can be made with these keys. */
export async function verifySignature(assertion: string, key: KeyObject): Promise<ClaimSet | null> {
  // jose skips the spare bits of the last character: changed there, it would still pass for the same signature.
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

/** What is wrong with the claims, or what they say. */
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
 * What an assertion without a `jti` is remembered by: a hash of what was signed. The signature is left out, so that no
 * other way to write it would pass for another assertion; what was signed cannot be written in another way.
 */
export const contentId = (assertion: string): string =>
  `sha256 ${hash('sha256', assertion.slice(0, assertion.lastIndexOf('.')), 'base64url')}`

import { createHash } from 'node:crypto'
import type { ClaimSet } from '../checking/jwt.ts'

/**
 * Claims about people. No condition should depend on a person's name or address, so they are not stored: OpenID Connect Core
 * section 5.1, and what GitLab adds.
 */
const aboutPeople: ReadonlySet<string> = new Set([
  ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username', 'profile', 'picture'],
  ...['website', 'email', 'email_verified', 'gender', 'birthdate', 'zoneinfo', 'locale', 'phone_number'],
  ...['phone_number_verified', 'address', 'user_email', 'upn', 'unique_name', 'ipaddr'],
])
/** Unique to each token: with them no two would be alike. They are of no use in a condition. */
const ofOneToken: ReadonlySet<string> = new Set([
  'jti',
  'iat',
  'nbf',
  'exp',
  'auth_time',
  'nonce',
  'at_hash',
  'c_hash',
  'sid',
])

/** Longer claims are not stored: a plan could not evaluate them quickly. */
const keptBytesMax = 8 * 1024

export type KeptClaims = { json: string; omitted: string[] }

/** The claims of a token to store, without those about people and those unique to the token. Null if they are too long. */
export function claimsToKeep(claims: ClaimSet): KeptClaims | null {
  const entries = Object.entries(claims).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const kept = entries.filter(([name]) => !aboutPeople.has(name) && !ofOneToken.has(name))
  // PostgreSQL's jsonb accepts neither NUL nor unpaired surrogates.
  const json = JSON.stringify(Object.fromEntries(kept))
  if (Buffer.byteLength(json) > keptBytesMax || json.includes('\\u0000') || /\\ud[89a-f]/i.test(json)) return null
  return {
    json,
    omitted: entries.map(([name]) => name).filter((name) => aboutPeople.has(name) || ofOneToken.has(name)),
  }
}

export const fingerprintOf = (...parts: readonly string[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest()

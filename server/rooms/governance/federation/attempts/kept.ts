import { createHash } from 'node:crypto'
import type { ClaimSet } from '../checking/jwt.ts'

/**
 * Claims about people, of which no condition should depend on a person's name or address. They are left out of what is kept:
 * OpenID Connect Core section 5.1, and what GitLab adds.
 */
const aboutPeople: ReadonlySet<string> = new Set([
  ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username', 'profile', 'picture'],
  ...['website', 'email', 'email_verified', 'gender', 'birthdate', 'zoneinfo', 'locale', 'phone_number'],
  ...['phone_number_verified', 'address', 'user_email', 'upn', 'unique_name', 'ipaddr'],
])
/** Of one token only: with them no two would be alike. A condition has no use for them. */
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

/** What is longer is not kept: a plan could not be made of it quickly. */
const keptBytesMax = 8 * 1024

export type KeptClaims = { json: string; omitted: string[] }

/** What is kept of a token: claims, without those about people and those of one token only. Null where they are too long. */
export function claimsToKeep(claims: ClaimSet): KeptClaims | null {
  const entries = Object.entries(claims).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const kept = entries.filter(([name]) => !aboutPeople.has(name) && !ofOneToken.has(name))
  // PostgreSQL's jsonb takes no NUL, nor an unpaired surrogate.
  const json = JSON.stringify(Object.fromEntries(kept))
  if (Buffer.byteLength(json) > keptBytesMax || json.includes('\\u0000') || /\\ud[89a-f]/i.test(json)) return null
  return {
    json,
    omitted: entries.map(([name]) => name).filter((name) => aboutPeople.has(name) || ofOneToken.has(name)),
  }
}

export const fingerprintOf = (...parts: readonly string[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest()

import type { FieldViolation } from '#kernel/refusals.ts'
import type { KeptSession } from './session.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export const idleMsMax = 12 * hourMs
export const sessionMsMax = 7 * 24 * hourMs
export const linkMsMax = 15 * minuteMs
export const passkeyChallengeMsMax = 5 * minuteMs
/** Long enough to type a password and wait for a second factor at the provider. */
export const oidcMsMax = 10 * minuteMs

const rotateAfterMs = 15 * minuteMs
/** How long requests that were under way with the secret before may still come in. */
export const graceMs = minuteMs

/** What to do with a cookie that names a session. */
export type Standing =
  | 'ended'
  /** A secret that was replaced, and whose successor is in use: somebody else holds one of the two. */
  | 'stolen'
  | 'good'
  /** The first use of a new secret: the one before may go. */
  | 'confirms'
  /** Due for a new secret. */
  | 'rotates'

export function standingOf(session: KeptSession, secretSha256: Buffer, now: Date): Standing {
  const at = now.getTime()
  if (session.expiresAt <= now || session.lastSeenAt.getTime() + idleMsMax <= at) return 'ended'
  const age = at - session.rotatedAt.getTime()
  if (session.secretSha256.equals(secretSha256)) {
    if (age > rotateAfterMs) return 'rotates'
    return session.previousSha256 && !session.previousUntil ? 'confirms' : 'good'
  }
  if (session.previousUntil) return session.previousUntil > now ? 'good' : 'stolen'
  // The new secret was never seen: the reply that carried it was lost, and it is given anew.
  return age > graceMs ? 'rotates' : 'good'
}

/** Where in the console someone is sent after signing in elsewhere: a path of this server, whatever was asked for. */
export const pathWithin = (asked: string): string => (/^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(asked) ? asked : '/')

const userAgentLengthMax = 300
export const userAgentIn = (header: string | string[] | undefined): string =>
  String(header ?? '').slice(0, userAgentLengthMax)

export const passkeyNameLengthMax = 100
export const passkeysMax = 20

export function passkeyNameProblem(name: string): FieldViolation | null {
  if (name.trim() === '') return { field: 'displayName', description: 'must not be empty' }
  return name.length > passkeyNameLengthMax
    ? { field: 'displayName', description: `must have at most ${passkeyNameLengthMax} characters` }
    : null
}

/** The name that passkeys are bound to, or null: browsers bind them to names, not to addresses. */
export function passkeyHost(origin: string): string | null {
  const url = URL.parse(origin)
  if (!url || /^\[|^[\d.]+$/.test(url.hostname)) return null
  return url.protocol === 'https:' || url.hostname === 'localhost' ? url.hostname : null
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** What is wrong with the address of an OpenID Connect provider, or null. */
export function issuerProblem(issuer: string): string | null {
  const url = URL.parse(issuer)
  // Core section 2: no query and no fragment.
  if (!url || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return 'must be an address as in https://login.example.com, without query and fragment'
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname))
  return isSafe ? null : 'must begin with https://, but for localhost'
}

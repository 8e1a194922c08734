import type { FieldViolation } from '#kernel/refusals.ts'
import { toSingleLine } from '#kernel/single-line.ts'
import type { CookieNumber, EndedWhy, KeptSession } from './session.ts'

const minuteMs = 60_000

export const linkMsMax = 15 * minuteMs
export const passkeyChallengeMsMax = 5 * minuteMs
/** Long enough to type a password and wait for a second factor at the provider. */
export const oidcMsMax = 10 * minuteMs

/** How long a cookie is in use before another is offered. */
export const rotateAfterMs = 15 * minuteMs
/** How long requests that were sent with the previous cookie may still arrive. */
export const graceMs = 30_000
/** How long an offer has to arrive before another is made: longer than any reply takes, so that two never cross. */
export const offerAfterMs = minuteMs
/** This many offers, and none was used: the client is not a browser, or someone else receives them and does not use them. */
export const offersMax = 5

/** What to do with a cookie of a session. */
export type Standing =
  | 'ended'
  | 'good'
  /** The previous cookie, for a moment longer: its request was already sent. */
  | 'lingers'
  /** The first use of an offered cookie: from now on it is the current one. */
  | 'confirms'
  /** Due for a new cookie. */
  | 'offers'
  /** To be ended, and why. */
  | EndedWhy

/**
 * The cookies of a session are numbered: by generation, and within one by branch. When the current cookie is old, a
 * request with it is offered the next generation, each offer as a separate branch, so that two never have the same. An
 * offer counts when it is used: replies may be lost, and the current cookie stays valid until then. After that, a
 * cookie of an earlier generation, or of another branch, is held by someone other than the holder of the current one,
 * and the session ends for both.
 */
export function standingOf(session: KeptSession, cookie: CookieNumber, now: Date): Standing {
  const at = now.getTime()
  if (session.endedAt || hasRunOut(session, now)) return 'ended'
  const { generation, branch, offers, offeredAt } = session
  if (cookie.generation === generation + 1 && cookie.branch <= offers) return 'confirms'
  // This server issued it, and the row does not know of it: the row was reset to an earlier state.
  if (cookie.generation > generation) return 'RECORD_SET_BACK'
  if (cookie.generation === generation && cookie.branch === branch) {
    if (at - session.rotatedAt.getTime() <= rotateAfterMs) return 'good'
    if (offeredAt && at - offeredAt.getTime() <= offerAfterMs) return 'good'
    return offers < offersMax ? 'offers' : 'COOKIE_NOT_REPLACED'
  }
  const isBefore = cookie.generation === generation - 1 && cookie.branch === session.previousBranch
  return isBefore && session.previousUntil && session.previousUntil >= now ? 'lingers' : 'COOKIE_REUSED'
}

const hasRunOut = (session: Pick<KeptSession, 'expiresAt' | 'lastSeenAt' | 'idleSeconds'>, now: Date): boolean =>
  session.expiresAt <= now || session.lastSeenAt.getTime() + session.idleSeconds * 1000 <= now.getTime()

/** The session with another cookie offered. */
export const afterOffer = (session: KeptSession, now: Date): KeptSession => ({
  ...session,
  offers: session.offers + 1,
  offeredAt: now,
})

/** The session with an offered cookie as the current one. */
export const afterConfirm = (session: KeptSession, cookie: CookieNumber, now: Date): KeptSession => ({
  ...session,
  generation: cookie.generation,
  branch: cookie.branch,
  rotatedAt: now,
  previousBranch: session.branch,
  previousUntil: new Date(now.getTime() + graceMs),
  offers: 0,
  offeredAt: null,
})

export const afterEnd = (session: KeptSession, why: EndedWhy, now: Date): KeptSession => ({
  ...session,
  endedAt: now,
  endedWhy: why,
})

export const addressDenied = 'The organization does not allow the console to be used from this address'

/** The messages for the user whose session was ended. */
export const endedMessages: Readonly<Record<EndedWhy, string>> = {
  COOKIE_REUSED:
    'The session was ended because its cookie was used in two places: someone may have copied it. Sign in again, and tell an administrator if this was not you.',
  COOKIE_NOT_REPLACED:
    'The session was ended because its cookie was not replaced although a new one was sent. Sign in again.',
  RECORD_SET_BACK: 'The session was ended because its record was restored from an earlier state. Sign in again.',
  ENDED_BY_ADMINISTRATOR: 'An administrator ended the session. Sign in again.',
}

/** The same, for the system log. */
export const endedReasons: Readonly<Record<EndedWhy, string>> = {
  COOKIE_REUSED: 'the session was ended, because a cookie was used that had been replaced: it was copied',
  COOKIE_NOT_REPLACED: 'the session was ended, because its cookie was still used although a new one was sent',
  RECORD_SET_BACK: 'the session was ended, because its record in the database was restored to an earlier state',
  ENDED_BY_ADMINISTRATOR: 'the session was ended by an administrator',
}

const pathLengthMax = 2000
const someOrigin = 'https://console.invalid'

/**
 * Where in the console someone is sent after signing in elsewhere: a path of this server, whatever was requested.
 * Browsers remove tabs and line ends, treat a backslash as a slash, and resolve dots: what they would make of it is
 * checked too.
 */
export function pathWithin(asked: string): string {
  // Printable, without spaces; no backslash; no two slashes at the start.
  if (asked.length > pathLengthMax || !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(asked)) return '/'
  const url = URL.parse(asked, someOrigin)
  return url?.origin === someOrigin && !url.pathname.startsWith('//') ? asked : '/'
}

const userAgentLengthMax = 300
export const userAgentIn = (header: string | string[] | undefined): string =>
  toSingleLine(String(header ?? '')).slice(0, userAgentLengthMax)

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
  return isSafe ? null : 'must start with https://, except for localhost'
}

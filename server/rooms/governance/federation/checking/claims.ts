import { isSameIssuer, spiffeDomainOf, trustDomainOf } from '../decide.ts'
import type { ClaimSet } from './jwt.ts'

/** What a check expected and found, and why it failed, if it did. */
export type Checked = { isPassed: boolean; reason: string; expected: string; actual: string; detail: string }

/** As published: the maximum age of a token, regardless of its expiry. */
const ageSecondsMax = 600
/** Tolerated difference between our clock and the issuer's. */
const skewSeconds = 60

const shownMax = 500
export const shown = (value: unknown): string => {
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text
}

const passed = (expected: string, actual: unknown): Checked => ({
  isPassed: true,
  reason: '',
  expected,
  actual: shown(actual),
  detail: '',
})
const failed = (reason: string, detail: string, expected: string, actual: unknown): Checked => ({
  isPassed: false,
  reason,
  detail,
  expected,
  actual: shown(actual),
})

export function checkIssuer({ iss }: ClaimSet, issuerUrl: string): Checked {
  if (typeof iss !== 'string') return failed('issuer_mismatch', 'The token has no iss.', issuerUrl, iss)
  return isSameIssuer(iss, issuerUrl)
    ? passed(issuerUrl, iss)
    : failed('issuer_mismatch', 'The token is from another issuer.', issuerUrl, iss)
}

/** A tenant's domain, with and without its port. */
const audiencesOf = (domain: string): unknown[] => [domain, domain.replace(/:\d+$/, '')]

export function checkAudience({ aud }: ClaimSet, domain: string): Checked {
  const isOurs = [aud].flat().some((each) => audiencesOf(domain).includes(each))
  return isOurs
    ? passed(domain, aud)
    : failed('audience_mismatch', `The token is not for ${domain}: aud must contain it.`, domain, aud)
}

const isSeconds = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const timeOf = (seconds: number): string => {
  const at = new Date(seconds * 1000)
  return Number.isNaN(at.getTime()) ? String(seconds) : at.toISOString()
}

/** JWT-SVID section 3: SPIFFE may omit iat; then the age is unknown, and only exp counts. */
export function checkFreshness({ exp, nbf, iat }: ClaimSet, now: Date, isSpiffe: boolean): Checked {
  const seconds = now.getTime() / 1000
  const expected = `exp after ${now.toISOString()}, iat within the last ${ageSecondsMax} seconds`
  const actual = { exp, ...(nbf !== undefined && { nbf }), iat }
  const no = (reason: string, detail: string): Checked => failed(reason, detail, expected, actual)
  if (!isSeconds(exp)) return no('invalid_jwt_format', 'The token has no exp.')
  if (exp <= seconds) return no('token_expired', `The token expired at ${timeOf(exp)}.`)
  if (nbf !== undefined && !isSeconds(nbf)) return no('invalid_jwt_format', 'nbf is not a number of seconds.')
  if (isSeconds(nbf) && nbf > seconds + skewSeconds)
    return no('token_not_yet_valid', `The token is not valid before ${timeOf(nbf)}.`)
  if (iat === undefined && isSpiffe) return passed(expected, actual)
  if (!isSeconds(iat)) return no('invalid_jwt_format', 'The token has no iat.')
  if (iat > seconds + skewSeconds)
    return no('token_not_yet_valid', `The token was issued in the future: ${timeOf(iat)}.`)
  if (iat < seconds - ageSecondsMax)
    return no('token_too_old', `The token was issued at ${timeOf(iat)}, more than ${ageSecondsMax} seconds ago.`)
  return passed(expected, actual)
}

/** For SPIFFE the subject contains the trust domain, which is the issuer. Other tokens only have to have a subject. */
export function checkSubject({ sub }: ClaimSet, issuerUrl: string): Checked {
  const domain = trustDomainOf(issuerUrl)
  if (domain === null)
    return typeof sub === 'string' && sub !== ''
      ? passed('a subject', sub)
      : failed('subject_invalid', 'The token has no sub.', 'a subject', sub)
  const expected = `spiffe://${domain}/…`
  const own = spiffeDomainOf(sub)
  if (own === null) return failed('subject_invalid', 'sub is not a SPIFFE ID.', expected, sub)
  return own === domain
    ? passed(expected, sub)
    : failed('issuer_mismatch', 'sub is in another trust domain.', expected, sub)
}

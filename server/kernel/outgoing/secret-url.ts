import type { Seals } from '../seals.ts'

/**
 * The query of an address is often a secret of its receiver. It is encrypted in the database, bound to the rest of the
 * address, and shown to nobody: `https://a.test/hook?[removed]#sealed.…` is what is stored, and shown without the
 * fragment. Names in it are removed too, because a secret can be written in place of a name: `?secret`, `?secret=`,
 * `?secret=1`.
 */
const removed = '[removed]'
const mark = '#sealed.'
const purpose = 'query of an address'

/** Followed by the sealed text: such an address need not be sealed again. */
export const sealedMark = `?${removed}${mark}`

/**
 * An address, or what was sent in place of one, without what may be a secret in it: its query, fragment and user
 * information.
 */
export function redactedUrl(text: string): string {
  const url = URL.parse(text)
  if (!url) return text.replace(/[?#].*$/s, `?${removed}`).replace(/\/\/[^/]*@/g, '//')
  if (`${url.search}${url.hash}${url.username}${url.password}` === '') return text
  return `${url.protocol}//${url.host}${url.pathname}${url.search + url.hash === '' ? '' : `?${removed}`}`
}

/** The stored form. One without a query is stored unchanged; a fragment is never sent to anyone. */
export function sealUrl(seals: Seals, tenantId: number, text: string): string {
  const redacted = redactedUrl(text)
  const url = URL.parse(text)
  if (!url || redacted === text) return text
  const whole = Buffer.from(url.href.slice(0, url.href.length - url.hash.length))
  return `${redacted}${mark}${seals.seal(purpose, String(tenantId), whole, redacted).toString('base64url')}`
}

/** The stored form of one that an older version stored with a plain query or with the names in it. */
export const resealUrl = (seals: Seals, tenantId: number, kept: string): string => {
  const plain = openUrl(seals, tenantId, kept)
  return plain === null ? kept : sealUrl(seals, tenantId, plain)
}

/** The form that is called. Null if what is stored was altered in the database. */
export function openUrl(seals: Seals, tenantId: number, kept: string): string | null {
  const at = kept.indexOf(mark)
  if (at < 0) return kept
  const sealed = Buffer.from(kept.slice(at + mark.length), 'base64url')
  return seals.open(purpose, String(tenantId), sealed, kept.slice(0, at))?.toString() ?? null
}

/** Whether an address is the stored one, as it is shown: sending back what was read changes nothing. */
export const isShownUrl = (sent: string, kept: string): boolean =>
  valuesOf(sent).length > 0 &&
  valuesOf(sent).every((value) => value === removed) &&
  redactedUrl(sent) === redactedUrl(kept)

/** Why an address cannot be intended; null if it can. */
export const maskProblem = (sent: string): string | null =>
  valuesOf(sent).includes(removed) || sent.includes(mark)
    ? `contains ${removed} in place of a value; send the whole URL, or the URL as it was returned to keep it`
    : null

/** A fragment is never sent, and could only be a secret that is stored without need. */
export const fragmentProblem = (url: string): string | null =>
  url.includes('#') ? 'must not contain a fragment' : null

const shortestSecret = 8
/** Shorter names may occur as ordinary words elsewhere; longer ones hardly do. */
const shortestName = 16

/** The parts of an address that must not be stored if someone repeats them. */
export const secretsOfUrl = (url: string): string[] => [
  ...valuesOf(url).filter((value) => value.length >= shortestSecret),
  ...namesOf(url).filter((name) => name.length >= shortestName),
]

/**
 * A text without some secrets, in plain form and as JSON and addresses write them: a receiver may send back what it was
 * sent.
 */
export const strike = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [...new Set([secret, secret.replaceAll('/', '\\/'), encodeURIComponent(secret)])])
    // The longest first: one may contain another.
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, form) => left.replaceAll(form, removed), text)

const partsOf = (text: string): [string, string][] => [...(URL.parse(text)?.searchParams ?? [])]
const valuesOf = (text: string): string[] => partsOf(text).map(([name, value]) => (value === '' ? name : value))
const namesOf = (text: string): string[] => partsOf(text).map(([name]) => name)

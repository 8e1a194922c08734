import type { Seals } from '../seals.ts'

/**
 * The query of an address is often a secret of its receiver. It is sealed in the database, for the rest of the address and nothing
 * else, and shown to nobody: `https://a.test/hook?[removed]#sealed.…` is what is kept, without the fragment what is shown. Names in it
 * are removed too, because a secret can be written where a name is: `?secret`, `?secret=`, `?secret=1`.
 */
const removed = '[removed]'
const mark = '#sealed.'
const purpose = 'query of an address'

/** Followed by what is sealed: such an address need not be sealed again. */
export const sealedMark = `?${removed}${mark}`

/** An address, or what was sent in the place of one, without what may be a secret in it: its query, fragment and user information. */
export function struckUrl(text: string): string {
  const url = URL.parse(text)
  if (!url) return text.replace(/[?#].*$/s, `?${removed}`).replace(/\/\/[^/]*@/g, '//')
  if (`${url.search}${url.hash}${url.username}${url.password}` === '') return text
  return `${url.protocol}//${url.host}${url.pathname}${url.search + url.hash === '' ? '' : `?${removed}`}`
}

/** As it is kept. One without a query is kept as it is; nobody is ever sent a fragment. */
export function sealUrl(seals: Seals, tenantId: number, text: string): string {
  const struck = struckUrl(text)
  const url = URL.parse(text)
  if (!url || struck === text) return text
  const whole = Buffer.from(url.href.slice(0, url.href.length - url.hash.length))
  return `${struck}${mark}${seals.seal(purpose, String(tenantId), whole, struck).toString('base64url')}`
}

/** One that an older version kept, with a plain query or with the names in it, as it is kept now. */
export const resealUrl = (seals: Seals, tenantId: number, kept: string): string => {
  const plain = openUrl(seals, tenantId, kept)
  return plain === null ? kept : sealUrl(seals, tenantId, plain)
}

/** As it is called. Null where what is kept was altered in the database. */
export function openUrl(seals: Seals, tenantId: number, kept: string): string | null {
  const at = kept.indexOf(mark)
  if (at < 0) return kept
  const sealed = Buffer.from(kept.slice(at + mark.length), 'base64url')
  return seals.open(purpose, String(tenantId), sealed, kept.slice(0, at))?.toString() ?? null
}

/** Whether an address is the one that is kept, as it is shown: who sends back what they read changes nothing. */
export const isShownUrl = (sent: string, kept: string): boolean =>
  valuesOf(sent).length > 0 && valuesOf(sent).every((value) => value === removed) && struckUrl(sent) === struckUrl(kept)

/** Why an address cannot be meant; null where it can. */
export const maskProblem = (sent: string): string | null =>
  valuesOf(sent).includes(removed) || sent.includes(mark)
    ? `contains ${removed} in place of a value; send the whole URL, or the URL as it was returned to keep it`
    : null

/** A fragment is never sent, and could only be a secret that is kept for nothing. */
export const fragmentProblem = (url: string): string | null =>
  url.includes('#') ? 'must not contain a fragment' : null

const shortestSecret = 8
/** Names are words of others too; what is longer hardly is. */
const shortestName = 16

/** What of an address must not be kept where somebody repeats it. */
export const secretsOfUrl = (url: string): string[] => [
  ...valuesOf(url).filter((value) => value.length >= shortestSecret),
  ...namesOf(url).filter((name) => name.length >= shortestName),
]

/** A text without some secrets, as they are and as JSON and addresses write them: a receiver may send back what it was sent. */
export const strike = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [...new Set([secret, secret.replaceAll('/', '\\/'), encodeURIComponent(secret)])])
    // What contains another comes first.
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, form) => left.replaceAll(form, removed), text)

const partsOf = (text: string): [string, string][] => [...(URL.parse(text)?.searchParams ?? [])]
const valuesOf = (text: string): string[] => partsOf(text).map(([name, value]) => (value === '' ? name : value))
const namesOf = (text: string): string[] => partsOf(text).map(([name]) => name)

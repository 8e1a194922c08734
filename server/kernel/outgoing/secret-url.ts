import type { Seals } from '../seals.ts'

/**
 * The query of an address is often a secret of its receiver. It is sealed in the database, for the rest of the address and nothing
 * else, and shown to nobody: `https://a.test/hook?key=[removed]#sealed.…` is what is kept, without the fragment what is shown.
 */
const removed = '[removed]'
const mark = '#sealed.'
const purpose = 'query of an address'

/** An address, without what may be a secret in its query. */
export function struckUrl(text: string): string {
  if (!text.includes('?')) return text
  const url = URL.parse(text)
  if (!url || url.search === '') return text
  const parts = url.search.slice(1).split('&')
  // What has no value may be one.
  const struck = parts.map((part) => (part.includes('=') ? `${part.slice(0, part.indexOf('='))}=${removed}` : removed))
  return `${url.origin}${url.pathname}?${[...new Set(struck)].join('&')}`
}

/** As it is kept. One without a query is kept as it is. */
export function sealUrl(seals: Seals, tenantId: number, text: string): string {
  const url = URL.parse(text)
  if (!url || url.search === '') return text
  const struck = struckUrl(text)
  const whole = Buffer.from(url.href.slice(0, url.href.length - url.hash.length))
  return `${struck}${mark}${seals.seal(purpose, String(tenantId), whole, struck).toString('base64url')}`
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

const shortestSecret = 8

/** What of an address must not be kept where somebody repeats it. */
export const secretsOfUrl = (url: string): string[] => valuesOf(url).filter((value) => value.length >= shortestSecret)

const valuesOf = (text: string): string[] =>
  [...(URL.parse(text)?.searchParams ?? [])].map(([name, value]) => (value === '' ? name : value))

import type { FastifyRequest } from 'fastify'
import { Refusal } from '#kernel/refusals.ts'

/** A header that a page can send to another origin only when that origin allows it, and we allow none. */
const consoleHeader = 'x-bailiwick-console'

/** How the caller addresses this server, as browsers write it; empty where that makes no address. */
export function originOf({ protocol, headers }: FastifyRequest): string {
  const host = (headers[':authority'] as string | undefined) ?? headers.host ?? ''
  return URL.parse(`${protocol}://${host}`)?.origin ?? ''
}

const refused = (why: string): Refusal =>
  new Refusal('CROSS_SITE_REFUSED', `This is only for the pages of this server: ${why}.`)

/**
 * Refuses what another site's page makes a browser send. `Sec-Fetch-Site` tells who sends it, where the browser knows the
 * address as a safe one; `Origin` tells it with everything that may change something; the header of our own could not
 * come from elsewhere without our leave. Another port of the same host is another site here.
 */
export function refuseForeignPages(request: FastifyRequest): void {
  const { headers, method } = request
  const site = headers['sec-fetch-site']
  // `none` is a person's own doing, such as an address that was typed.
  const isRead = method === 'GET' || method === 'HEAD'
  if (site !== undefined && site !== 'same-origin' && !(isRead && site === 'none'))
    throw refused(`Sec-Fetch-Site is ${JSON.stringify(site)}`)
  if (isRead) return
  const own = originOf(request)
  if (headers.origin === undefined) throw refused('the Origin header is missing')
  if (headers.origin !== own)
    throw refused(`Origin is not ${own}; behind a proxy that ends TLS, see --trusted-proxy and X-Forwarded-Proto`)
  if (headers[consoleHeader] === undefined) throw refused(`the header ${consoleHeader} is missing`)
}

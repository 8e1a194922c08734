import type { FastifyRequest } from 'fastify'
import { Refusal } from '#kernel/refusals.ts'

/** A header that a page can send to another origin only if that origin allows it, and this one allows none. */
const consoleHeader = 'x-bailiwick-console'

/** How the caller addresses this server, as browsers write it; empty if that is not a valid address. */
export function originOf({ protocol, headers }: FastifyRequest): string {
  const host = (headers[':authority'] as string | undefined) ?? headers.host ?? ''
  return URL.parse(`${protocol}://${host}`)?.origin ?? ''
}

const refused = (why: string): Refusal =>
  new Refusal('CROSS_SITE_REFUSED', `This is only for the pages of this server: ${why}.`)

/**
 * Refuses what another site's page makes a browser send. `Sec-Fetch-Site` says which site sends it, if the browser
 * considers the address secure; `Origin` says so for every request that may change something; and pages of other sites
 * cannot send our custom header without permission. Another port of the same host counts as another site here.
 */
export function refuseForeignPages(request: FastifyRequest): void {
  const { headers, method } = request
  const site = headers['sec-fetch-site']
  // `none` is an action of the user, such as typing the address.
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

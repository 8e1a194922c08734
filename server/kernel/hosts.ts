import type { IncomingHttpHeaders } from 'node:http'

/** The three names of the machine itself count as one. */
const loopback = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

/** The form of a host by which tenants are found: lower case, without port, without the final dot. */
export function canonicalHost(host: string): string {
  const bare = host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
  return loopback.has(bare) ? 'localhost' : bare
}

export const hostOf = (headers: IncomingHttpHeaders): string =>
  canonicalHost((headers[':authority'] as string | undefined) ?? headers.host ?? '')

import { isIPv6 } from 'node:net'
import { canonicalHost } from '#kernel/hosts.ts'

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * A domain in the form for client ids (lower case, with its port), and the host by which it is found; null if it is not
 * valid.
 */
export function domainOf(given: string): { domain: string; host: string } | null {
  const domain = given.toLowerCase()
  const [, name = '', port] = /^(.*?)(?::(\d{1,5}))?$/.exec(domain) ?? []
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return null
  const isName = name.length <= 253 && name.split('.').every((part) => label.test(part))
  const isAddress = name.startsWith('[') && name.endsWith(']') && isIPv6(name.slice(1, -1))
  return isName || isAddress ? { domain, host: canonicalHost(name) } : null
}

/** The domain of a server's first tenant: the address that it serves, as a person would type it. */
export function domainServedAt(host: string, port: number, isTls: boolean): string {
  const everywhere = ['0.0.0.0', '::', '[::]', '127.0.0.1', '::1', '[::1]', 'localhost']
  const name = everywhere.includes(host) ? 'localhost' : isIPv6(host) ? `[${host}]` : host
  // Port 0 is any free one: a domain that changes with each start is useless.
  return port === 0 || port === (isTls ? 443 : 80) ? name : `${name}:${port}`
}

import { isIP } from 'node:net'
import { domainOf, type NewHost, type TenantHost } from '#rooms/foundation/tenants/index.ts'

const lengthMax = 300

/** An address as a person types it, with or without `https://`; or what is wrong with it. */
export function readAddress(given: string): NewHost | string {
  const text = given.trim()
  const url =
    text.length > lengthMax ? null : URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return 'must be an address as in https://access.example.com'
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return 'must be a host name, with a port if needed, and nothing after it'
  const named = domainOf(url.host)
  return named ? { ...named, origin: url.origin } : 'must be a host name that consists of letters, digits and hyphens'
}

export const isLoopback = ({ host }: Pick<NewHost, 'host'>): boolean => host === 'localhost'

/** Why people cannot do at an address what they can do at others; empty if they can. */
export function shortcomingOf({ host, origin }: NewHost): string {
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0)
    return 'Browsers do not support passkeys at an IP address: use a host name.'
  return origin.startsWith('http:') && host !== 'localhost'
    ? 'Without HTTPS, what people send can be read on the way, and browsers do not support passkeys.'
    : ''
}

export const hostStates = ['CURRENT', 'NEW', 'OLD', 'ENDED'] as const
export type HostState = (typeof hostStates)[number]

export function stateOf(row: Pick<TenantHost, 'host' | 'endedAt' | 'replacedAt'>, currentHost: string): HostState {
  if (row.host === currentHost) return 'CURRENT'
  if (row.endedAt) return 'ENDED'
  return row.replacedAt ? 'OLD' : 'NEW'
}

/** How many names can work at once. */
export const liveMax = 5
/** A new name that nobody begins to use ends after this time. */
export const newDays = 30
const endDaysMax = 366

/** What is wrong with the time at which a name is to end, or null. */
export function endProblem(at: Date, now: Date): string | null {
  const days = (at.getTime() - now.getTime()) / 86_400_000
  return days > 0 && days <= endDaysMax ? null : `must be in the future, and at most ${endDaysMax} days from now`
}

/** How a request reached a name, compared with the address that was added: what is wrong, or empty. */
export function reachProblem({ origin, reachedOrigin }: Pick<TenantHost, 'origin' | 'reachedOrigin'>): string {
  if (reachedOrigin === '' || reachedOrigin === origin) return ''
  const [said, seen] = [URL.parse(origin), URL.parse(reachedOrigin)]
  if (said?.host === seen?.host && said?.protocol === 'https:')
    return `The request reached this server as ${reachedOrigin}. A proxy that ends HTTPS must send X-Forwarded-Proto, and the server must be started with its address in --trusted-proxy.`
  return `The request reached this server as ${reachedOrigin}, not as ${origin}. A proxy must pass on the Host header as it is, with the port.`
}

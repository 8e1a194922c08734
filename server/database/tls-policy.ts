import { isIP } from 'node:net'

/** Those that check the server's certificate. `require` only encrypts: to whoever answers. */
const verifying = ['verify-full', 'verify-ca']

/**
 * The first host of a connection URL that is another machine, where the URL does not ask for a verified connection; null
 * when there is none. Whoever stands between could read, and change, all that the database holds.
 */
export function unverifiedHost(text: string): string | null {
  // Several hosts with their ports are no URL to anyone but PostgreSQL.
  const [, authority = '', search = ''] = /^postgres(?:ql)?:\/\/([^/?#]*)[^?#]*(?:\?([^#]*))?/.exec(text) ?? []
  const query = new URLSearchParams(search)
  const modes = query.getAll('sslmode')
  if (modes.length > 0 && modes.every((mode) => verifying.includes(mode))) return null
  const inAuthority = authority.slice(authority.lastIndexOf('@') + 1)
  const inQuery = query.getAll('host').join(',')
  return (inQuery || decodeURIComponent(inAuthority)).split(',').map(withoutPort).find(isElsewhere) ?? null
}

const withoutPort = (host: string): string => {
  const [, bracketed] = /^\[([^\]]*)\]/.exec(host) ?? []
  return (bracketed ?? (isIP(host) === 6 ? host : host.replace(/:\d*$/, ''))).toLowerCase()
}

// Nothing, and a path, are sockets of this machine.
const isElsewhere = (host: string): boolean =>
  !(host === '' || host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host))

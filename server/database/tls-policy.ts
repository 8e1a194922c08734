import { readDatabaseUrl } from './url.ts'

/**
 * The first host of a connection URL that is another machine, where the URL does not ask for a verified connection; null
 * when there is none. Whoever stands between could read, and change, all that the database holds.
 */
export function unverifiedHost(text: string): string | null {
  const found = readDatabaseUrl(text).hosts.find(
    ({ host = '', ssl }) => isElsewhere(host.toLowerCase()) && !isVerified(ssl),
  )
  return found?.host?.toLowerCase() ?? null
}

// `sslmode=require` only encrypts: to whoever answers.
const isVerified = (ssl: unknown): boolean =>
  typeof ssl === 'object' && (ssl as { rejectUnauthorized?: boolean }).rejectUnauthorized !== false

// A path is a socket of this machine.
const isElsewhere = (host: string): boolean =>
  !(host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host))

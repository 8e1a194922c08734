import { readDatabaseUrl } from './url.ts'

/**
 * The first host of a connection URL that is another machine, if the URL does not require a verified connection; null
 * if there is none. An attacker in between could read and change everything in the database.
 */
export function unverifiedHost(text: string): string | null {
  const found = readDatabaseUrl(text).hosts.find(
    ({ host = '', ssl }) => isElsewhere(host.toLowerCase()) && !isVerified(ssl),
  )
  return found?.host?.toLowerCase() ?? null
}

// `sslmode=require` encrypts without verifying the server.
const isVerified = (ssl: unknown): boolean =>
  typeof ssl === 'object' && (ssl as { rejectUnauthorized?: boolean }).rejectUnauthorized !== false

// A path is a socket of this machine.
const isElsewhere = (host: string): boolean =>
  !(host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host))

import { readFileSync } from 'node:fs'
import type { ConnectionOptions as TlsOptions } from 'node:tls'
import { OperatorError } from '#kernel/operator-error.ts'
import { whyUnreadable } from '#kernel/unreadable.ts'
import type { ConnectionOptions, Target } from './driver/connect.ts'

/** The database cannot be used, for a reason that its operator can fix. */
export class DatabaseUnusable extends OperatorError {
  override name = 'DatabaseUnusable'
}

/** What libpq does by default, and what applies here in any case. */
const askForNothing = [
  ['gssencmode', 'disable'],
  ['gssencmode', 'prefer'],
  ['sslcompression', '0'],
] as const

const form = 'postgresql://user:password@host:5432/name'
const notOne = (): DatabaseUnusable =>
  // Without the text and without a cause: they contain the password.
  new DatabaseUnusable(`The database URL is not valid: the form is ${form}.`)

// As in libpq: https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
const shape =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?]*)(?::(?<password>[^@/?]*))?@)?(?<hosts>[^/?]*)(?:\/(?<database>[^?]*))?(?:\?(?<query>.*))?$/s

/** Reads a connection URL as libpq does: several hosts, unix sockets, and TLS by `sslmode`. */
export function readDatabaseUrl(text: string): Target {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new DatabaseUnusable('The database URL must start with postgresql://.')
  const parts = shape.exec(text)?.groups
  if (!parts) throw notOne()
  const query = new Map(new URLSearchParams(parts['query'] ?? ''))
  const take = (name: string): string | undefined => {
    const value = query.get(name)
    query.delete(name)
    return value
  }
  const hosts = hostsOf(take('host') ?? decoded(parts['hosts'] ?? ''), take('port'))
  const user = decoded(parts['user'] ?? '') || take('user')
  const password = decoded(parts['password'] ?? '') || take('password')
  const database = decoded(parts['database'] ?? '') || take('dbname')
  const ssl = tlsOf(take)
  const timeoutSeconds = Number(take('connect_timeout') ?? 0)
  const options = take('options')
  const enableChannelBinding = take('channel_binding') === 'require'
  const isWritable = writable(take('target_session_attrs'))
  take('application_name')
  for (const [name, value] of askForNothing) if (query.get(name) === value) query.delete(name)
  const [unknown] = query.keys()
  if (unknown !== undefined)
    throw new DatabaseUnusable(`The database URL has a parameter that is not supported: ${unknown}.`)
  const rest: ConnectionOptions = {
    ...(user && { user }),
    ...(password && { password }),
    ...(database && { database }),
    ...(timeoutSeconds > 0 && { connectionTimeoutMillis: timeoutSeconds * 1_000 }),
    ...(options && { options }),
    ...(enableChannelBinding && { enableChannelBinding }),
  }
  // There is no TLS on a unix socket.
  const hosted = hosts.map(({ host, port }) => ({ ...rest, host, port, ssl: host.startsWith('/') ? false : ssl }))
  return { hosts: hosted, isWritable }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw notOne()
  }
}

function hostsOf(text: string, ports: string | undefined): { host: string; port: number }[] {
  const given = ports?.split(',') ?? []
  return text.split(',').map((each, index) => {
    const [, bracketed, plain, inHost] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(each) ?? []
    const port = Number(inHost ?? given[index] ?? given[0] ?? 5432)
    if (bracketed === undefined && plain === undefined) throw notOne()
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw notOne()
    return { host: bracketed ?? (plain || 'localhost'), port }
  })
}

function writable(attrs = 'any'): boolean {
  if (attrs === 'any') return false
  if (attrs === 'read-write' || attrs === 'primary') return true
  throw new DatabaseUnusable(`target_session_attrs=${attrs} is not supported: use any, read-write or primary.`)
}

/** What `sslmode` requires. The modes that may fall back to no TLS unnoticed are refused. */
function tlsOf(take: (name: string) => string | undefined): false | TlsOptions {
  const mode = take('sslmode') ?? 'disable'
  const [root, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => {
    const file = take(name)
    return file === 'system' ? file : file && read(name, file)
  })
  if (mode === 'disable') return false
  const certificates = {
    ...(root && root !== 'system' && { ca: root }),
    ...(cert && { cert }),
    ...(key && { key }),
  }
  // libpq: with a root certificate, `require` means `verify-ca`.
  if (mode === 'require' && !root) return { ...certificates, rejectUnauthorized: false }
  if (mode === 'require' || mode === 'verify-ca') return { ...certificates, checkServerIdentity: () => undefined }
  if (mode === 'verify-full') return certificates
  throw new DatabaseUnusable(`sslmode=${mode} is not supported: use verify-full, verify-ca, require or disable.`)
}

function read(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new DatabaseUnusable(`${name}: ${whyUnreadable(file, error as NodeJS.ErrnoException)}.`)
  }
}

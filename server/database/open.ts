import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#kernel/sql.ts'
import { readArrayTypes } from './array-types.ts'
import { postgres } from './driver.ts'
import { type Embedded, type EmbeddedEvent, type EmbedOptions, openEmbedded } from './embed.ts'

export type OpenOptions = {
  /** A PostgreSQL of the operator's own, or the embedded one of a data folder. */
  from: { url: string } | Omit<EmbedOptions, 'onEvent'>
  applicationName?: string
  connectionsMax?: number
  onEvent?: (event: EmbeddedEvent) => void
  /** How long to wait for a database at a URL that does not answer yet. */
  waitMs?: number
}

export type Database = {
  db: Db
  /** A few connections of their own for regular work: it goes on while requests use all of theirs. */
  background: Db
  /** One connection more, to see whether the database answers: it waits for nobody's statements. */
  openProbe(): Db
  /** To be called when the schema has changed, or may have: arrays of its types are known by their numbers. */
  learnTypes(): Promise<void>
  embedded: Embedded | undefined
  /** Lets running queries finish for a moment, then closes, and stops what was started. */
  close: () => Promise<void>
}

/** The database cannot be used, for a reason that its operator can mend. */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable'
}

const oldestVersion = 15
const connectionsForRequests = 20
// Four to seal the system log, and one for each of the other kinds of work that take long.
const backgroundMax = 8

export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { from, onEvent } = options
  const embedded = 'url' in from ? undefined : await openEmbedded({ ...from, ...(onEvent && { onEvent }) })
  const connect = (more: Partial<OpenOptions> = {}): Db => {
    const all = { ...options, ...more }
    return 'url' in from ? connectUrl(from.url, all) : postgres({ ...embedded?.connection, ...settings(all) })
  }
  const db = connect()
  const background = connect({ connectionsMax: backgroundMax })
  const learnTypes = (): Promise<void> => readArrayTypes(db, db, background)
  const close = async (): Promise<void> => {
    await Promise.all([db.end({ timeout: 5 }), background.end({ timeout: 5 })])
    await embedded?.stop()
  }
  try {
    await refuseOldVersion(db, options.waitMs ?? 15_000)
    await learnTypes()
  } catch (error) {
    await close()
    throw error
  }
  return { db, background, learnTypes, openProbe: () => connect({ connectionsMax: 1 }), embedded, close }
}

/** `count(*)` and `sum` answer int8 and numeric; as numbers they are plain JSON, and never silently another number. */
export function toNumber(text: string): number {
  const number = Number(text)
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) throw new RangeError(`${text} is beyond what a number holds exactly.`)
  return number
}

const settings = ({ applicationName, connectionsMax }: OpenOptions) => ({
  max: connectionsMax ?? connectionsForRequests,
  // See array-types.ts.
  fetch_types: false,
  connect_timeout: 5,
  // Seconds. Low, so that service resumes within a second of the database being back.
  backoff: (attempt: number): number => Math.min(0.25, 0.02 * 2 ** attempt),
  onnotice: () => {},
  connection: {
    application_name: applicationName ?? `bailiwick ${process.pid}`,
    statement_timeout: 30_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 60_000,
    TimeZone: 'UTC',
  },
  types: {
    int8: { to: 20, from: [20], parse: toNumber, serialize: String },
    numeric: { to: 1700, from: [1700], parse: toNumber, serialize: String },
  },
})

// postgres.js passes what it does not know on to the server, which refuses it. These are for libpq, not for the server.
const libpqOnly = [
  'host',
  'channel_binding',
  'gssencmode',
  'sslcompression',
  'sslcert',
  'sslkey',
  'sslrootcert',
  'sslcrl',
]

function connectUrl(text: string, options: OpenOptions) {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new DatabaseUnusable('The database URL has to begin with postgresql://.')
  // libpq lets the host be left out after a user; a URL does not.
  const url = URL.parse(text.replace(/^(postgres(?:ql)?:\/\/[^/?]*@)(?=[/?]|$)/, '$1localhost'))
  if (!url) return connectHosts(text, options)
  const socketDir = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => {
    const path = url.searchParams.get(name)
    return path && path !== 'system' ? readFileSync(path, 'utf8') : undefined
  })
  const host = url.hostname.replace(/^\[|\]$/g, '')
  for (const name of libpqOnly) url.searchParams.delete(name)
  return postgres(url.href, {
    ...settings(options),
    ...(socketDir.startsWith('/') && { path: join(socketDir, `.s.PGSQL.${url.port || 5432}`) }),
    // With the host: for an address, where there is no server name, Node would compare the certificate to `localhost`.
    ...((ca || cert || url.searchParams.get('sslmode') === 'verify-full') && { ssl: { ca, cert, key, host } }),
  })
}

// Several hosts with their ports are no URL to anyone but PostgreSQL; the driver reads them itself.
function connectHosts(text: string, options: OpenOptions) {
  try {
    return postgres(text, settings(options))
  } catch {
    // Without the cause: it holds the URL, and so the password.
    throw new DatabaseUnusable('The database URL is not one: postgresql://user:password@host:5432/name is.')
  }
}

const notYet = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'CONNECT_TIMEOUT', 'CONNECTION_CLOSED', '57P03']

async function refuseOldVersion(db: Db, waitMs: number): Promise<void> {
  const deadline = Date.now() + waitMs
  for (;;) {
    try {
      const [row] = await db`select current_setting('server_version_num')::int as number, version() as text`
      if (row && row.number >= oldestVersion * 10_000) return
      throw new DatabaseUnusable(`PostgreSQL ${oldestVersion} or newer is needed, and this is ${row?.text}.`)
    } catch (error) {
      if (error instanceof DatabaseUnusable) throw error
      const { code, message } = error as Error & { code?: string }
      if (!notYet.includes(code ?? '') || Date.now() >= deadline) {
        throw new DatabaseUnusable(`The database cannot be reached: ${message}`, { cause: error })
      }
      await sleep(250)
    }
  }
}

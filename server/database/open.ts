import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#kernel/sql.ts'
import { type ConnectionOptions, socketOptions, type Target } from './driver/connect.ts'
import { openPool } from './driver/pool.ts'
import { type Embedded, type EmbeddedEvent, type EmbedOptions, openEmbedded } from './embedded/embed.ts'
import { openSignals, type Signals } from './signals.ts'
import { DatabaseUnusable, readDatabaseUrl } from './url.ts'

export { DatabaseUnusable } from './url.ts'

export type OpenOptions = {
  /** The operator's own PostgreSQL, the embedded one of a data folder, or the one that another process embeds. */
  from: { url: string } | { socket: Embedded['connection'] } | Omit<EmbedOptions, 'onEvent'>
  applicationName?: string
  /** How many transactions may be open at once. */
  connectionsMax?: number
  /** The same for periodic work; 0 if this process does none: then it has no separate connections, and jobs have none. */
  backgroundMax?: number
  /** Whether requests too may wait a moment for an open connection rather than for a new one. */
  isPatient?: boolean
  onEvent?: (event: EmbeddedEvent) => void
  /** How long to wait for a database at a URL that does not respond yet. */
  waitMs?: number
}

export type Database = {
  db: Db
  /** A few separate connections for periodic work, which continues while requests use all of theirs. */
  background: Db
  /** For the work of jobs: as many transactions at once as this, however many jobs run. */
  jobs: Db
  /** One connection more, to check whether the database responds: it waits for no other statements. */
  openProbe(): Db
  /** Changes that this process or another one of this program commits. */
  signals: Signals
  embedded: Embedded | undefined
  /** Lets running queries finish for a moment, then closes, and stops what was started. */
  close: () => Promise<void>
}

const oldestVersion = 15
// As many transactions as requests are served at once: see `usualLimits` in server/http/guards/limits.ts.
const connectionsForRequests = 20
// Four to seal the system log, and one for each of the other kinds of work that take long.
const usualBackgroundMax = 8
const jobsMax = 4
// Longer than most statements take, and too short to be noticed in background work.
const patienceMs = 25

export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { from, onEvent, connectionsMax = connectionsForRequests, backgroundMax = usualBackgroundMax } = options
  const embedded = 'dataDir' in from ? await openEmbedded({ ...from, ...(onEvent && { onEvent }) }) : undefined
  const { hosts, isWritable } = targetOf(from, embedded)
  const target = {
    hosts: hosts.map((host) => ({ ...settings(options), ...host, options: withUtc(host.options) })),
    isWritable,
  }
  const signals = openSignals(target, (payload) => background`select pg_notify('bailiwick', ${payload})`)
  const connect = (max: number, isPatient: boolean): Db =>
    openPool({
      target,
      sharedMax: max,
      ownMax: max,
      ...(isPatient && { patienceMs }),
      onChange: () => signals.changed(),
    })
  const db = connect(connectionsMax, options.isPatient ?? false)
  const background = backgroundMax === 0 ? db : connect(Math.min(backgroundMax, connectionsMax), true)
  const jobs = backgroundMax === 0 ? db : connect(Math.min(jobsMax, connectionsMax), true)
  const close = async (): Promise<void> => {
    await signals.flush()
    await Promise.all([...new Set([db, background, jobs])].map((pool) => pool.end()))
    await embedded?.stop()
  }
  try {
    await refuseOldVersion(db, options.waitMs ?? 15_000)
  } catch (error) {
    await close()
    throw error
  }
  return { db, background, jobs, openProbe: () => connect(1, false), signals, embedded, close }
}

// On Citus, `set local` applies on the nodes that a transaction reaches only with this; elsewhere it has no effect.
const withUtc = (options = ''): string => `${options} -c TimeZone=UTC -c citus.propagate_set_commands=local`.trim()

function targetOf(from: OpenOptions['from'], embedded: Embedded | undefined): Target {
  if ('url' in from) return readDatabaseUrl(from.url)
  const socket = 'socket' in from ? from.socket : (embedded as Embedded).connection
  return { hosts: [socketOptions(socket)], isWritable: false }
}

const settings = ({ applicationName }: OpenOptions): ConnectionOptions => ({
  application_name: applicationName ?? `bailiwick ${process.pid}`,
  connectionTimeoutMillis: 5_000,
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 60_000,
})

const notYet = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'CONNECT_TIMEOUT', 'CONNECTION_CLOSED', '57P03']

async function refuseOldVersion(db: Db, waitMs: number): Promise<void> {
  const begun = Date.now()
  for (;;) {
    try {
      const [row] = await db`select current_setting('server_version_num')::int as number, version() as text`
      if (row && row.number >= oldestVersion * 10_000) return
      throw new DatabaseUnusable(`PostgreSQL ${oldestVersion} or newer is required; this is ${row?.text}.`)
    } catch (error) {
      if (error instanceof DatabaseUnusable) throw error
      const { code, message } = error as Error & { code?: string }
      // A connection that is not answered within 5 s may be to a busy machine: three attempts would prove nothing.
      const longestMs = code === 'CONNECT_TIMEOUT' ? 4 * waitMs : waitMs
      if (!notYet.includes(code ?? '') || Date.now() - begun >= longestMs) {
        throw new DatabaseUnusable(`The database cannot be reached: ${message}`, { cause: error })
      }
      await sleep(250)
    }
  }
}

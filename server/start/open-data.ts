import type { Logger } from 'pino'
import { isWithoutCluster } from '#database/embedded/cluster.ts'
import { hasSchema, migrate, type SchemaChange } from '#database/migrate.ts'
import { type Database, openDatabase } from '#database/open.ts'
import { unverifiedHost } from '#database/tls-policy.ts'
import { limitsOfWorker, usualLimits } from '#http/guards/limits.ts'
import type { Db } from '#kernel/sql.ts'
import { type DataConfig, UsageError } from '#server/settings/config.ts'
import type { Orders } from '#server/workers/messages.ts'

export type DataOptions = {
  /** False for callers that need existing data: neither data nor its folder is created. */
  mayCreate?: boolean
  /** How many workers the primary that opens it starts. */
  workers?: number
  /** Called when it waits for PostgreSQL, or for a program that creates its files. */
  onWait?: () => void
  /** See `OpenOptions`: for tests, which start hundreds of servers that do little. */
  isPatient?: boolean
  /** For a worker: its primary has opened and prepared the data. */
  worker?: Orders
}

/** Opens the database of these settings, and migrates it to the newest schema. */
export async function openData(
  config: DataConfig,
  purpose: 'serve' | 'command',
  log: Logger,
  { mayCreate = true, workers = 1, onWait = () => {}, isPatient = false, worker }: DataOptions = {},
): Promise<Database> {
  assertVerified(config)
  if (!mayCreate && config.databaseUrl === null && isWithoutCluster(config.dataDir))
    throw new UsageError(
      `there is no data in ${config.dataDir}; set --data-dir to the server's data folder, or --database-url to its database`,
    )
  if (config.databaseUrl !== null) onWait()
  const database = await openDatabase({
    from: worker?.socket
      ? { socket: worker.socket }
      : config.databaseUrl === null
        ? { dataDir: config.dataDir, purpose, ...(workers > 1 && { connectionsMax: connectionsOf(workers) }) }
        : { url: config.databaseUrl },
    applicationName: `bailiwick ${purpose} ${process.pid}`,
    // The primary of several workers serves no requests itself.
    ...(worker && { connectionsMax: runningAtOnce(worker.workers) }),
    ...(workers > 1 && { connectionsMax: 4 }),
    // A command does neither periodic work nor jobs.
    ...(purpose === 'command' && { backgroundMax: 0 }),
    isPatient,
    onEvent({ level, what, message }) {
      log[level](message)
      if (what === 'waiting') onWait()
    },
  })
  try {
    if (!mayCreate && !(await hasSchema(database.db)))
      throw new UsageError('there is no data in the database; is it the one that the server uses?')
    if (!worker) await bringUpToDate(database.db, log)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function bringUpToDate(db: Db, log: Logger): Promise<void> {
  const begun = performance.now()
  const changes = await migrate(db)
  const ms = Math.round(performance.now() - begun)
  for (const [place, { did, version, name }] of changes.entries())
    log.info(
      { version, ...(did === 'migrated' && { name }), ...(place === changes.length - 1 && { ms }) },
      schemaNews[did],
    )
}

const schemaNews: Record<SchemaChange['did'], string> = {
  created: 'created the schema',
  accepted: 'accepted the schema of an earlier commit',
  migrated: 'migrated the schema',
}

/** How many requests one of this many workers serves at once: each may hold a connection. */
const runningAtOnce = (workers: number): number =>
  limitsOfWorker(workers, usualLimits.connections).shares?.running.all ?? usualLimits.shares.running.all

/**
 * How many connections the embedded PostgreSQL has to allow. For each worker, and for the spare one: twice as many as
 * requests, periodic work and jobs use at once, because single statements use separate connections, two to check whether
 * the database responds, and one to listen for changes. The primary and operator commands have 60 in addition.
 */
const connectionsOf = (workers: number): number => (workers + 1) * (2 * (runningAtOnce(workers) + 8 + 4) + 3) + 60

export function assertVerified({
  databaseUrl,
  databaseWithoutTls,
}: Pick<DataConfig, 'databaseUrl' | 'databaseWithoutTls'>): void {
  const host = databaseUrl === null || databaseWithoutTls ? null : unverifiedHost(databaseUrl)
  if (host !== null)
    throw new UsageError(
      `--database-url does not verify ${host} by TLS: add ?sslmode=verify-full (and sslrootcert=FILE for your own CA), or set --database-without-tls`,
    )
}

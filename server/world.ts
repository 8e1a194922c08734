import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { isWithoutCluster } from '#database/embedded/cluster.ts'
import { hasSchema, migrate } from '#database/migrate.ts'
import { type Database, openDatabase } from '#database/open.ts'
import { unverifiedHost } from '#database/tls-policy.ts'
import { limitsOfWorker, usualLimits } from '#http/guards/limits.ts'
import { idMaker } from '#kernel/ids.ts'
import { openMemory } from '#kernel/memory.ts'
import type { OutgoingRules } from '#kernel/outgoing/addresses.ts'
import type { World } from '#kernel/world.ts'
import { openKept } from '#rooms/foundation/systemlog/index.ts'
import { closeExpressions } from '#rooms/rules/expressions/index.ts'
import { type Config, type DataConfig, type MailConfig, settings, UsageError } from './config.ts'
import { type Clock, systemClock } from './engine/clock.ts'
import { readMailSettings } from './mail-settings.ts'
import { type SealRows, sealExistingRows } from './sealed-rows.ts'
import { openSeals } from './secret-key.ts'
import type { Orders } from './workers/messages.ts'
import { tellPrimary } from './workers/worker.ts'

type OutgoingConfig = Partial<Pick<Config, 'outgoingAllow' | 'outgoingHttp' | 'outgoingCa'>>
type ExportConfig = Partial<Pick<Config, 'datasourcesFile' | 'systemlogRetention'>>

export type Opened = { world: World; database: Database; close(): Promise<void> }

export type OpenOptions = {
  clock?: Clock
  /** False for who wants data that is there: none is made, and not even the folder. */
  mayCreate?: boolean
  /** How many workers the primary that opens it starts. */
  workers?: number
  /** For a worker: its primary has opened and prepared the data. */
  worker?: Orders
}

/** Opens the data: the database, at its newest schema, and the secret key that belongs to it. */
export async function openWorld(
  config: DataConfig &
    Partial<Pick<Config, 'tokenLifetime' | 'systemlogWitness' | 'tokensPerMinute'>> &
    OutgoingConfig &
    ExportConfig &
    Partial<MailConfig>,
  purpose: 'serve' | 'command',
  log: Logger,
  { clock: { now } = systemClock, mayCreate = true, workers = 1, worker }: OpenOptions = {},
): Promise<Opened> {
  assertVerified(config)
  const outgoing = await outgoingRules(config)
  const mail = await readMailSettings(config)
  if (!mayCreate && config.databaseUrl === null && isWithoutCluster(config.dataDir))
    throw new UsageError(
      `there is no data in ${config.dataDir}; set --data-dir to the server's data folder, or --database-url to its database`,
    )
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
    onEvent: ({ level, message }) => log[level](message),
  })
  try {
    if (!mayCreate && !(await hasSchema(database.db)))
      throw new UsageError('there is no data in the database; is it the one that the server uses?')
    if (!worker) for (const { version, name } of await migrate(database.db)) log.info({ version, name }, 'migrated')
    const keyFile = config.secretKeyFile ?? join(config.dataDir, 'secret.key')
    const seals = await openSeals(database.db, keyFile, now())
    const world: World = {
      db: database.db,
      now,
      newId: idMaker(Date.now),
      log,
      seals,
      memory: openMemory(() => world),
      ...(worker && { tellWorkers: (forgotten) => tellPrimary({ is: 'forget', forgotten }) }),
      settings: {
        clientSecret: { serviceDomain: config.serviceDomain, hasVersion: config.clientSecretV1 },
        // Only the server issues tokens.
        tokenLifetimeSeconds: config.tokenLifetime ?? settings['token-lifetime'].fallback,
        headsFile: config.headsFile ?? `${keyFile}.heads`,
        ...(config.systemlogWitness && { witnesses: config.systemlogWitness }),
        ...(config.tokensPerMinute && { tokensPerMinute: config.tokensPerMinute }),
        ...(worker && { workers: worker.workers }),
        outgoing,
        ...(config.datasourcesFile && { datasourcesFile: config.datasourcesFile }),
        ...(config.systemlogRetention && { systemlogRetentionDays: config.systemlogRetention }),
        ...(mail && { mail }),
      },
    }
    await openKept(world)
    if (!worker)
      await sealExistingRows(world, [`${keyFile}.sealed`, join(config.dataDir, 'secret.key.sealed')], rowsToSeal)
    const close = async (): Promise<void> => {
      await closeExpressions(world)
      await database.close()
    }
    return { world, database, close }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function outgoingRules({
  outgoingAllow = [],
  outgoingHttp = false,
  outgoingCa,
}: OutgoingConfig): Promise<OutgoingRules> {
  const ca = outgoingCa
    ? await readFile(outgoingCa, 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw new UsageError(`--outgoing-ca ${outgoingCa} cannot be read: ${error.code}`)
      })
    : undefined
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new UsageError(`--outgoing-ca ${outgoingCa} does not contain a certificate in PEM`)
  return { allow: outgoingAllow, isHttpAllowed: outgoingHttp, ca }
}

/** Loaded only where rows are not sealed yet: most commands need none of these rooms. */
const rowsToSeal = async (): Promise<SealRows[]> => {
  const [roles, credentials, sessions] = await Promise.all([
    import('#rooms/identity/roles/index.ts'),
    import('#rooms/identity/credentials/index.ts'),
    import('#rooms/identity/sessions/index.ts'),
  ])
  return [roles.sealExistingRoles, credentials.sealExistingCredentials, sessions.sealExistingSignIns]
}

/** How many requests one of so many workers serves at once: each may hold a connection. */
const runningAtOnce = (workers: number): number =>
  limitsOfWorker(workers, usualLimits.connections).shares?.running.all ?? usualLimits.shares.running.all

/**
 * How many connections the embedded PostgreSQL has to allow. Of each worker, and of the one that waits to replace another:
 * twice as many as requests, regular work and jobs have at once, because single statements have some of their own, two to
 * see whether the database answers, and one to hear of changes. Besides them the primary and operator commands have 60.
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

import { readFile } from 'node:fs/promises'
import { createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { isWithoutCluster } from '#database/embedded/cluster.ts'
import { hasSchema, migrate } from '#database/migrate.ts'
import { type Database, openDatabase } from '#database/open.ts'
import { isAbsence, watchPresence } from '#database/presence.ts'
import { unverifiedHost } from '#database/tls-policy.ts'
import { keepCertificate } from '#http/certificate.ts'
import { forgetKeys } from '#http/guards/idempotency.ts'
import type { HttpLimits } from '#http/guards/limits.ts'
import { type Metrics, openMetrics, serveMetrics } from '#http/metrics.ts'
import { type ConsoleDoor, openConsole } from '#http/pages/console.ts'
import { createServer, type HttpServer } from '#http/server.ts'
import { canonicalHost } from '#kernel/hosts.ts'
import { idMaker } from '#kernel/ids.ts'
import { openLog } from '#kernel/log.ts'
import { openMemory } from '#kernel/memory.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { guardProcess } from '#kernel/unhandled.ts'
import type { World } from '#kernel/world.ts'
import {
  alerts,
  change,
  denials,
  keepHeads,
  logMetrics,
  openKept,
  operatorCause,
  record,
  recordDenial,
  refreshFloor,
  refuseDatabaseBehind,
  sealAll,
  witnesses,
} from '#rooms/foundation/systemlog/index.ts'
import { domainServedAt, listTenants, type Tenant, tenantsByHost } from '#rooms/foundation/tenants/index.ts'
import { asOwner, sieve } from '#rooms/governance/owners/index.ts'
import { deleteExpiredRevocations, lastUsed, sealExistingCredentials } from '#rooms/identity/credentials/index.ts'
import { sealExistingRoles } from '#rooms/identity/roles/index.ts'
import {
  authenticate,
  endDisabled,
  forgetEnded,
  lastSeen,
  makeLink,
  sealExistingSignIns,
} from '#rooms/identity/sessions/index.ts'
import { deleteExpiredAssertions } from '#rooms/identity/tokens/index.ts'
import { findOwnerEmail, findUserByEmail, foundTenant } from '#rooms/identity/users/index.ts'
import { expireGrants } from '#rooms/records/grants/index.ts'
import { forgetIdleRuns, stepRuns, sweepChanges } from '#rooms/rules/automation/index.ts'
import { closeExpressions } from '#rooms/rules/expressions/index.ts'
import { type Config, type DataConfig, settings, UsageError } from './config.ts'
import { type DemoCounts, loadDemoCompany } from './demo/load.ts'
import { type Clock, ClockInDoubt, systemClock, type WatchedClock, watchClock } from './engine/clock.ts'
import { startTicks, type Tick } from './engine/ticks.ts'
import { routes as allRoutes } from './routes.ts'
import { sealExistingRows } from './sealed-rows.ts'
import { openSeals } from './secret-key.ts'

export type Opened = { world: World; database: Database; close(): Promise<void> }

export type OpenOptions = {
  clock?: Clock
  /** False for who wants data that is there: none is made, and not even the folder. */
  mayCreate?: boolean
}

/** Opens the data: the database, at its newest schema, and the secret key that belongs to it. */
export async function openWorld(
  config: DataConfig & Partial<Pick<Config, 'tokenLifetime' | 'systemlogWitness' | 'tokensPerMinute'>>,
  purpose: 'serve' | 'command',
  log: Logger,
  { clock: { now } = systemClock, mayCreate = true }: OpenOptions = {},
): Promise<Opened> {
  assertVerified(config)
  if (!mayCreate && config.databaseUrl === null && isWithoutCluster(config.dataDir))
    throw new UsageError(
      `there is no data in ${config.dataDir}; name the server's data folder with --data-dir, or its database with --database-url`,
    )
  const database = await openDatabase({
    from: config.databaseUrl === null ? { dataDir: config.dataDir, purpose } : { url: config.databaseUrl },
    applicationName: `bailiwick ${purpose} ${process.pid}`,
    onEvent: ({ level, message }) => log[level](message),
  })
  try {
    if (!mayCreate && !(await hasSchema(database.db)))
      throw new UsageError('there is no data in the database; is it the one that the server uses?')
    for (const { version, name } of await migrate(database.db)) log.info({ version, name }, 'migrated')
    const keyFile = config.secretKeyFile ?? join(config.dataDir, 'secret.key')
    const seals = await openSeals(database.db, keyFile, now())
    const world: World = {
      db: database.db,
      now,
      newId: idMaker(Date.now),
      log,
      seals,
      memory: openMemory(() => world),
      settings: {
        clientSecret: { serviceDomain: config.serviceDomain, hasVersion: config.clientSecretV1 },
        // Only the server issues tokens.
        tokenLifetimeSeconds: config.tokenLifetime ?? settings['token-lifetime'].fallback,
        headsFile: config.headsFile ?? `${keyFile}.heads`,
        ...(config.systemlogWitness && { witnesses: config.systemlogWitness }),
        ...(config.tokensPerMinute && { tokensPerMinute: config.tokensPerMinute }),
      },
    }
    await openKept(world)
    await sealExistingRows(
      world,
      [`${keyFile}.sealed`, join(config.dataDir, 'secret.key.sealed')],
      [sealExistingRoles, sealExistingCredentials, sealExistingSignIns],
    )
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

export function assertVerified({
  databaseUrl,
  databaseWithoutTls,
}: Pick<DataConfig, 'databaseUrl' | 'databaseWithoutTls'>): void {
  const host = databaseUrl === null || databaseWithoutTls ? null : unverifiedHost(databaseUrl)
  if (host !== null)
    throw new UsageError(
      `--database-url does not verify ${host} by TLS: add ?sslmode=verify-full (and sslrootcert=FILE for a CA of your own), or say --database-without-tls`,
    )
}

export type Serving = {
  url: string
  tenants: Tenant[]
  /** The email address of a Super Administrator of the first tenant. */
  owner: string | null
  /** What the first start made. */
  founded: { owner: string; demo: DemoCounts | null; signInToken: string } | null
  postgresHome: string | null
  metricsUrl: string | null
  newCertificate: string | null
  /** Handles errors that nobody handled; `giveUp` has to end the process in order. Answers how to stop that. */
  guard(giveUp: () => void): () => void
  /** Has the console ready before someone asks for it. */
  prepareConsole(): Promise<void>
  /** Ends it all: what is under way has `stopGraceMs` to finish. */
  stop(): Promise<void>
}

const stopGraceMs = 10_000
const metricsPortDefault = 9464
/** Where only who may change the program can write. */
const besidePackages = fileURLToPath(new URL('../node_modules/.cache/bailiwick', import.meta.url))

/** What tests may have in place of the usual. */
export type ServeOptions = { routes?: readonly Route[]; limits?: Partial<HttpLimits>; clock?: Clock }

/** The whole server: data, tenants, HTTP. */
export async function serve(
  config: Config,
  log = openLog(config.logLevel),
  { routes = allRoutes, limits = {}, clock = systemClock }: ServeOptions = {},
): Promise<Serving> {
  const ownCertificate = await readCertificate(config)
  // Before anything is made for it: who mistyped a port wants another one, not a database.
  await assertFree(config)
  const { world, database, close } = await openWorld(config, 'serve', log, { clock })
  try {
    await refuseDatabaseBehind(world)
    // Before anyone is let in: what the last run left unsealed, or what was removed since, is known first.
    await sealAll(world)
    await keepHeads(world)
    const certificate = config.tlsSelfSigned ? await certificateFor(config, world) : null
    const console = openConsole([besidePackages, config.dataDir], log)
    const http = await listen(config, {
      ...{ world, database, log, routes, clock, console, limits },
      tls: certificate ?? ownCertificate,
    })
    // Once the address is ours: a tenant of an address that someone else serves would be worse than none.
    const founded = await foundFirstTenant(world, config).catch(async (error: unknown) => {
      await http.stop()
      throw error
    })
    const tenants = await listTenants(world.db)
    return {
      url: `${config.tlsSelfSigned || config.tlsCert ? 'https' : 'http'}://${domainServedAt(config.host, http.port, false)}`,
      tenants,
      owner: tenants[0] ? await findOwnerEmail(world.db, tenants[0].id) : null,
      founded,
      postgresHome: database.embedded?.home ?? null,
      metricsUrl: http.metricsUrl,
      newCertificate: certificate?.isNew ? certificate.certFile : null,
      guard: (giveUp) => guardProcess({ log, count: http.metrics.countUnhandled, isLostConnection: isAbsence, giveUp }),
      prepareConsole: console.prepare,
      async stop() {
        await http.stop()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

type Listening = { port: number; metrics: Metrics; metricsUrl: string | null; stop(): Promise<void> }
type ListenParts = {
  world: World
  database: Database
  log: Logger
  routes: readonly Route[]
  clock: Clock
  console: ConsoleDoor
  limits: Partial<HttpLimits>
  tls: { cert: string; key: string } | null
}

async function listen(config: Config, parts: ListenParts): Promise<Listening> {
  const { world, database, log, routes, clock, console, tls } = parts
  const presence = watchPresence(database.openProbe, (isHere) => {
    if (!isHere) return log.warn('the database is unavailable')
    log.info('the database is available again')
  })
  const watched = watchClock(clock, database.background, log)
  const metrics: Metrics = openMetrics(
    () => presence.isHere,
    () => watched.doubt === null,
    {
      connections: () => server.load.connections(),
      running: () => server.load.running(),
      waiting: () => server.load.waiting(),
    },
    () => logMetrics(world),
  )
  const server: HttpServer = createServer({
    world,
    log,
    routes,
    tenantOf: tenantsByHost(world.db, Date.now),
    presence: Object.assign(presence, { isAbsence }),
    clock: watched,
    metrics,
    authenticate: (asked) => authenticate(world, asked),
    asOwner: (tenant, actor, route, path) => asOwner(world, { tenant, actor, route, path }),
    sieve,
    onDenied: (asked, actor, refusal) => recordDenial(world, { ...asked, actor }, refusal),
    trustedProxies: config.trustedProxy,
    logRequests: config.logRequests ?? (process.stderr.isTTY ? 'failed' : 'all'),
    console,
    tls,
    limits: {
      connections: { all: config.maxConnections, perNetwork: config.maxConnectionsPerNetwork },
      ...parts.limits,
    },
  })
  let metricsServer: Awaited<ReturnType<typeof listenForMetrics>> = null
  try {
    metricsServer = await listenForMetrics(metrics, config.metricsPort, log)
    const { port } = await server.listen(config.host, config.port)
    const ticks = startTicks(regularWork({ ...world, db: database.background }, watched), log, isPassing)
    return {
      port,
      metrics,
      metricsUrl: metricsServer && `http://127.0.0.1:${metricsServer.port}/metrics`,
      async stop() {
        await server.stop(stopGraceMs)
        await world
          .memory(denials)
          .writeAll()
          .catch(() => {})
        await ticks.stop()
        await console.stop()
        await metricsServer?.stop()
        presence.stop()
      },
    }
  } catch (error) {
    presence.stop()
    await metricsServer?.stop()
    throw whyNotListening(error, config)
  }
}

function whyNotListening(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return new UsageError(`${host}:${port} is taken; choose another --port`)
  if (code === 'EACCES') return new UsageError(`port ${port} is not open to this user; choose another --port`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new UsageError(`--host ${host} is not an address of this machine`)
  return error
}

async function assertFree({ host, port, metricsPort }: Config): Promise<void> {
  await tryListening(host, port).catch((error: unknown) => {
    throw whyNotListening(error, { host, port })
  })
  if (metricsPort === null) return
  await tryListening('127.0.0.1', metricsPort).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? metricsPortTaken(metricsPort) : error
  })
}

const metricsPortTaken = (port: number): UsageError => new UsageError(`--metrics-port ${port} is taken`)

function tryListening(host: string, port: number): Promise<void> {
  const server = createNetServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => server.close(() => resolve()))
  })
}

/** What is told of elsewhere, once. */
const isPassing = (error: unknown): boolean => isAbsence(error) || error instanceof ClockInDoubt

/** What the engine does all the time, on every server: each piece is safe to do on several at once. */
function regularWork(world: World, clock: WatchedClock): Tick[] {
  const guarded = clock.guarded(world)
  /** What cannot be undone once the clock is right again. */
  const ending = (work: (world: World) => Promise<void>) => async (): Promise<void> => {
    if (await clock.isSettled()) await work(guarded)
  }
  /** What puts itself right, but had better not have been done. */
  const changing = (work: (world: World) => Promise<void>) => async (): Promise<void> => {
    if (!clock.hasJumped()) await work(guarded)
  }
  return [
    { name: 'take back what was given for a time', everyMs: 1_000, work: ending(expireGrants) },
    { name: 'ask rules about who changed', everyMs: 200, work: changing(sweepChanges) },
    // Each steps another tenant's runs: one whose rules are slow does not hold up the others.
    { name: 'run rules', everyMs: 200, work: changing(stepRuns) },
    { name: 'run rules beside it', everyMs: 200, work: changing(stepRuns) },
    { name: 'run rules beside both', everyMs: 200, work: changing(stepRuns) },
    { name: 'forget runs that did nothing', everyMs: 3_600_000, work: ending(forgetIdleRuns) },
    { name: 'write when credentials were last used', everyMs: 5_000, work: () => world.memory(lastUsed).write() },
    { name: 'write when sessions were last seen', everyMs: 5_000, work: () => world.memory(lastSeen).write() },
    { name: 'end sessions of those who may sign in no longer', everyMs: 5_000, work: () => endDisabled(world) },
    { name: 'end sessions, links and challenges', everyMs: 5_000, work: ending(forgetEnded) },
    {
      name: 'forget revoked tokens',
      everyMs: 60_000,
      work: ending(({ db, now }) => deleteExpiredRevocations(db, now())),
    },
    { name: 'delete old idempotency keys', everyMs: 60_000, work: ending(forgetKeys) },
    {
      name: 'forget used assertions',
      everyMs: 60_000,
      work: ending(({ db, now }) => deleteExpiredAssertions(db, now())),
    },
    { name: 'read when the database was restored', everyMs: 500, work: () => refreshFloor(world) },
    { name: 'write repeated denials', everyMs: 1_000, work: () => world.memory(denials).writeDue() },
    { name: 'tell of alerts', everyMs: 5_000, work: () => world.memory(alerts).tell() },
    // The last to be done when the server stops: what the others write is sealed too, and then kept.
    { name: 'seal the system log', everyMs: 250, work: () => sealAll(world) },
    { name: 'keep the end of the system log', everyMs: 1_000, work: () => keepHeads(world) },
    { name: 'tell the witnesses of the system log', everyMs: 5_000, work: () => world.memory(witnesses).tell() },
  ]
}

// Two servers on one machine need not agree on a port that nobody asked for.
async function listenForMetrics(metrics: Metrics, port: number | null, log: Logger) {
  try {
    return await serveMetrics(metrics, port ?? metricsPortDefault)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    if (port !== null) throw metricsPortTaken(port)
    log.warn(`port ${metricsPortDefault} is taken: no metrics are served; --metrics-port names another`)
    return null
  }
}

/** Where there is no tenant yet: makes the one of the address that is served, with its owner and the demo company. */
async function foundFirstTenant(world: World, config: Config): Promise<Serving['founded']> {
  return transact(world.db, async (tx) => {
    // Several servers that start at once on an empty database found one tenant, not several.
    await tx`lock table tenants in share row exclusive mode`
    if ((await listTenants(tx)).length > 0) return null
    const tenant = await foundTenant(tx, world, { domain: firstDomain(config), ownerEmail: config.owner })
    if (typeof tenant === 'string') throw new UsageError(`--host ${config.host} cannot be the domain of a tenant`)
    const owner = await findUserByEmail(tx, tenant.id, config.owner)
    const { token } = await makeLink(tx, world, operatorCause(tenant, 'serve'), owner?.id ?? '')
    const founded = { owner: config.owner, signInToken: token }
    if (config.empty || config.databaseUrl !== null) return { ...founded, demo: null }
    const demo = await loadDemoCompany(tx, world, tenant.id)
    const cause = operatorCause(tenant, 'serve')
    const touched = { type: 'tenant', id: tenant.publicId, name: tenant.domain, data: demo }
    await record(tx, world, cause, change(cause, 'create', 'Loaded the demo company', [touched]))
    return { ...founded, demo }
  })
}

/** For the hosts of all tenants, and of the one that the first start will make. */
async function certificateFor(config: Config, world: World) {
  const domains = [firstDomain(config), ...(await listTenants(world.db)).map((tenant) => tenant.domain)]
  const hosts = domains.map((domain) => canonicalHost(domain).replace(/^\[|\]$/g, ''))
  return keepCertificate(config.dataDir, [...new Set(['localhost', '127.0.0.1', '::1', ...hosts])], world.now())
}

const firstDomain = (config: Config): string =>
  domainServedAt(config.host, config.port, config.tlsSelfSigned || config.tlsCert !== null)

async function readCertificate({ tlsCert, tlsKey }: Config): Promise<{ cert: string; key: string } | null> {
  if (tlsCert === null || tlsKey === null) return null
  const read = (file: string): Promise<string> =>
    readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new UsageError(`cannot read ${file}: ${error.code}`)
    })
  const pair = { cert: await read(tlsCert), key: await read(tlsKey) }
  try {
    createSecureContext(pair)
  } catch (error) {
    throw new UsageError(`${tlsCert} and ${tlsKey} are no certificate and its key: ${(error as Error).message}`)
  }
  return pair
}

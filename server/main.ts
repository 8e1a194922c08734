import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { isWithoutCluster } from '#database/embedded/cluster.ts'
import { hasSchema, migrate } from '#database/migrate.ts'
import { type Database, openDatabase } from '#database/open.ts'
import { isAbsence, watchPresence } from '#database/presence.ts'
import { unverifiedHost } from '#database/tls-policy.ts'
import { keepCertificate } from '#http/certificate.ts'
import { forgetKeys } from '#http/guards/idempotency.ts'
import { type HttpLimits, limitsOfWorker, usualLimits } from '#http/guards/limits.ts'
import { addCounted, type Metrics, openMetrics, serveMetrics } from '#http/metrics.ts'
import { type ConsoleDoor, openConsole } from '#http/pages/console.ts'
import { createServer, type HttpServer } from '#http/server.ts'
import { deleteFullBudgets } from '#kernel/budget-store.ts'
import { canonicalHost } from '#kernel/hosts.ts'
import { idMaker } from '#kernel/ids.ts'
import type { JobKind } from '#kernel/jobs.ts'
import { openLog } from '#kernel/log.ts'
import { openMemory } from '#kernel/memory.ts'
import type { Route } from '#kernel/routes.ts'
import { looseBudgets } from '#kernel/shared-budget.ts'
import { transact } from '#kernel/sql.ts'
import { guardProcess } from '#kernel/unhandled.ts'
import type { World } from '#kernel/world.ts'
import { jobMetrics, jobStore, jobTotals } from '#rooms/foundation/jobs/index.ts'
import {
  alerts,
  chainEnds,
  change,
  checkSealed,
  denials,
  keepHeads,
  learnChainEnds,
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
import { insertBuiltInPolicies, seedBuiltInPolicies } from '#rooms/governance/policies/index.ts'
import {
  deleteExpiredRevocations,
  identities,
  lastUsed,
  sealExistingCredentials,
} from '#rooms/identity/credentials/index.ts'
import { sealExistingRoles } from '#rooms/identity/roles/index.ts'
import { authenticate, forgetEnded, lastSeen, makeLink, sealExistingSignIns } from '#rooms/identity/sessions/index.ts'
import { deleteExpiredAssertions, forgetExpired } from '#rooms/identity/tokens/index.ts'
import { findOwnerEmail, findUserByEmail, foundTenant } from '#rooms/identity/users/index.ts'
import { expireGrants } from '#rooms/records/grants/index.ts'
import { forgetIdleRuns, forgetShown, stepRuns, sweepChanges } from '#rooms/rules/automation/index.ts'
import { closeExpressions } from '#rooms/rules/expressions/index.ts'
import { type Config, type DataConfig, settings, UsageError } from './config.ts'
import { type DemoCounts, loadDemoCompany } from './demo/load.ts'
import { type Clock, ClockInDoubt, systemClock, type WatchedClock, watchClock } from './engine/clock.ts'
import { idleMemory } from './engine/idle-memory.ts'
import { type JobLimits, type Jobs, startJobs } from './engine/jobs/runner.ts'
import { endAllLeases, endLease, holdLease } from './engine/lease.ts'
import { startTicks, type Tick } from './engine/ticks.ts'
import { jobKinds as allJobKinds } from './jobs.ts'
import { routes as allRoutes } from './routes.ts'
import { sealExistingRows } from './sealed-rows.ts'
import { openSeals } from './secret-key.ts'
import { usualWorkers } from './workers/how-many.ts'
import type { Orders } from './workers/messages.ts'
import { openTeamMetrics } from './workers/metrics.ts'
import { openTeam, type Team, WorkerFailed } from './workers/primary.ts'
import { obeyPrimary, tellPrimary } from './workers/worker.ts'

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
  config: DataConfig & Partial<Pick<Config, 'tokenLifetime' | 'systemlogWitness' | 'tokensPerMinute'>>,
  purpose: 'serve' | 'command',
  log: Logger,
  { clock: { now } = systemClock, mayCreate = true, workers = 1, worker }: OpenOptions = {},
): Promise<Opened> {
  assertVerified(config)
  if (!mayCreate && config.databaseUrl === null && isWithoutCluster(config.dataDir))
    throw new UsageError(
      `there is no data in ${config.dataDir}; name the server's data folder with --data-dir, or its database with --database-url`,
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
      },
    }
    await openKept(world)
    if (!worker)
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

/** How many requests one of so many workers serves at once: each may hold a connection. */
const runningAtOnce = (workers: number): number =>
  limitsOfWorker(workers, usualLimits.connections).shares?.running.all ?? usualLimits.shares.running.all

/**
 * How many connections the embedded PostgreSQL has to allow. Of each worker, and of the one that waits to replace another:
 * twice as many as requests, regular work and jobs have at once, because single statements have some of their own, and two to
 * see whether the database answers. Besides them the primary and operator commands have 60.
 */
const connectionsOf = (workers: number): number => (workers + 1) * (2 * (runningAtOnce(workers) + 8 + 4) + 2) + 60

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
export type ServeOptions = {
  routes?: readonly Route[]
  limits?: Partial<HttpLimits>
  clock?: Clock
  jobKinds?: readonly JobKind[]
  jobLimits?: Partial<JobLimits>
}

/** The whole server in this process: data, tenants, HTTP. */
export async function serve(
  config: Config,
  log = openLog(config.logLevel),
  { routes = allRoutes, limits = {}, clock = systemClock, jobKinds = allJobKinds, jobLimits = {} }: ServeOptions = {},
): Promise<Serving> {
  const ownCertificate = await readCertificate(config)
  // Before anything is made for it: who mistyped a port wants another one, not a database.
  await assertFree(config)
  const { world, database, close } = await openWorld(config, 'serve', log, { clock })
  try {
    const certificate = await checkData(config, world, database)
    const console = openConsole([besidePackages, config.dataDir], log)
    const http = await listen(config, {
      ...{ world, database, log, routes, clock, console, limits, jobKinds, jobLimits },
      tls: certificate ?? ownCertificate,
    })
    // Once the address is ours: a tenant of an address that someone else serves would be worse than none.
    const founded = await foundFirstTenant(world, config).catch(async (error: unknown) => {
      await http.stop()
      throw error
    })
    return {
      ...(await describe(config, world, database, http.port)),
      founded,
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

/** The same by as many processes as the settings say, or as help. */
export async function serveByWorkers(config: Config, log = openLog(config.logLevel)): Promise<Serving> {
  const workers = config.workers ?? usualWorkers(config.databaseUrl === null)
  if (workers === 1) return serve(config, log)
  const ownCertificate = await readCertificate(config)
  const port = await assertFree(config)
  const { world, database, close } = await openWorld(config, 'serve', log, { workers })
  let team: Team | null = null
  let hopeless = (): void => {}
  try {
    const certificate = await checkData(config, world, database)
    const console = openConsole([besidePackages, config.dataDir], log)
    const registry = new Registry()
    const metrics = openTeamMetrics(() => team, registry)
    addCounted(registry, () => logMetrics(world))
    const metricsServer = await listenForMetrics(metrics, config.metricsPort, log)
    const stopAll = async (): Promise<void> => {
      await console.stop()
      await team?.stop()
      await ticks?.stop()
      await metricsServer?.stop()
    }
    let ticks: ReturnType<typeof startTicks> | undefined
    try {
      team = await openTeam({
        count: workers,
        log,
        newId: world.newId,
        orders: (leaseOwner) => ({
          ...{ config: { ...config, port }, workers, leaseOwner },
          tls: certificate ? { cert: certificate.cert, key: certificate.key } : ownCertificate,
          socket: database.embedded?.connection ?? null,
        }),
        onGone: (leaseOwner) => void endLease(database.background, leaseOwner).catch(() => {}),
        onLastReport: metrics.keep,
        onHopeless: () => hopeless(),
      })
      const founded = await foundFirstTenant(world, config)
      ticks = startTicks(workOfPrimary({ ...world, db: database.background }, team), log, isPassing)
      return {
        ...(await describe(config, world, database, port)),
        founded,
        metricsUrl: metricsUrlOf(metricsServer),
        newCertificate: certificate?.isNew ? certificate.certFile : null,
        guard(giveUp) {
          hopeless = giveUp
          return guardProcess({ log, count: metrics.countUnhandled, isLostConnection: isAbsence, giveUp })
        },
        async prepareConsole() {
          await console.prepare()
          team?.tell({ do: 'prepare console' })
        },
        async stop() {
          await stopAll()
          await close()
        },
      }
    } catch (error) {
      await stopAll()
      throw error instanceof WorkerFailed && error.isUsage ? new UsageError(error.message) : error
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The program of a worker process: does what its primary says. */
export function serveAsWorker(exit: (code: number) => void): void {
  let number = 0
  let opened: { listener: Listener; close(): Promise<void>; console: ConsoleDoor; world: World } | undefined
  const { leave } = obeyPrimary({
    exit,
    isUsage: (error) => error instanceof UsageError,
    logFailure: (error) => openLog('error').error({ err: error, worker: number }, 'a worker could not start'),
    async open(orders) {
      const { config, tls, workers, leaseOwner } = orders
      const log = openLog(config.logLevel, undefined, () => ({ worker: number }))
      const { world, database, close } = await openWorld(config, 'serve', log, { worker: orders })
      const console = openConsole([besidePackages, config.dataDir], log)
      const limits = limitsOfWorker(workers, {
        all: config.maxConnections,
        perNetwork: config.maxConnectionsPerNetwork,
      })
      const parts = { world, database, log, routes: allRoutes, clock: systemClock, console, limits, tls }
      const listener = prepareListener(config, { ...parts, jobKinds: allJobKinds, jobLimits: {}, leaseOwner })
      opened = { listener, close, console, world }
      await listener.prepare()
      const { countUnhandled } = listener.metrics
      guardProcess({ log, count: countUnhandled, isLostConnection: isAbsence, giveUp: () => leave(failureCode) })
    },
    async serve(given) {
      number = given
      await opened?.listener.listen()
    },
    prepareConsole: () => void opened?.console.prepare(),
    learn(ends) {
      const heads = ends.map(([id, { sealNumber, mac }]) => [id, { sealNumber, mac: Buffer.from(mac) }] as const)
      if (opened) learnChainEnds(opened.world, heads)
    },
    forget: (forgotten) => opened?.world.memory(identities).hear(forgotten),
    metrics: async () => (await opened?.listener.metrics.registry.getMetricsAsJSON()) as never,
    async stop() {
      await opened?.listener.stop()
      await opened?.close()
    },
  })
}

const failureCode = 70

/** What is looked at before anyone is let in. Answers the self-signed certificate, where one is asked for. */
async function checkData(config: Config, world: World, { embedded, background }: Database) {
  await refuseDatabaseBehind(world)
  // What the last run left unsealed, or what was removed since, is known first.
  await sealAll(world)
  await keepHeads(world)
  // Tenants may be older than built-in policies.
  await seedBuiltInPolicies(world)
  // Nobody else uses this database: what is still held was held by those who are gone.
  if (embedded?.owned) await endAllLeases(background)
  return config.tlsSelfSigned ? certificateFor(config, world) : null
}

async function describe(config: Config, world: World, database: Database, port: number) {
  const tenants = await listTenants(world.db)
  return {
    url: `${config.tlsSelfSigned || config.tlsCert ? 'https' : 'http'}://${domainServedAt(config.host, port, false)}`,
    tenants,
    owner: tenants[0] ? await findOwnerEmail(world.db, tenants[0].id) : null,
    postgresHome: database.embedded?.home ?? null,
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
  jobKinds: readonly JobKind[]
  jobLimits: Partial<JobLimits>
  tls: { cert: string; key: string } | null
  /** Of a worker: the name by which its primary knows what it holds. */
  leaseOwner?: string
}

async function listen(config: Config, parts: ListenParts): Promise<Listening> {
  const listener = prepareListener(config, parts)
  let metricsServer: Awaited<ReturnType<typeof listenForMetrics>> = null
  try {
    metricsServer = await listenForMetrics(listener.metrics, config.metricsPort, parts.log)
    const port = await listener.listen()
    return {
      port,
      metrics: listener.metrics,
      metricsUrl: metricsUrlOf(metricsServer),
      async stop() {
        await listener.stop()
        await metricsServer?.stop()
      },
    }
  } catch (error) {
    await listener.stop()
    await metricsServer?.stop()
    throw error
  }
}

const metricsUrlOf = (server: { port: number } | null): string | null =>
  server && `http://127.0.0.1:${server.port}/metrics`

type Listener = {
  metrics: Metrics
  /** Has everything ready, so that `listen` takes no time. */
  prepare(): Promise<void>
  listen(): Promise<number>
  stop(): Promise<void>
}

/** Everything that serves requests, but for the port: `listen` opens that, and begins the regular work. */
function prepareListener(config: Config, parts: ListenParts): Listener {
  const { world, database, log, routes, clock, console, tls, jobKinds, jobLimits, leaseOwner } = parts
  const presence = watchPresence(database.openProbe, (isHere) => {
    if (!isHere) return log.warn('the database is unavailable')
    log.info('the database is available again')
  })
  let jobs: Jobs | null = null
  const watched = watchClock(clock, database.background, log)
  const metrics: Metrics = openMetrics(
    () => presence.isHere,
    () => watched.doubt === null,
    {
      connections: () => server.load.connections(),
      running: () => server.load.running(),
      waiting: () => server.load.waiting(),
    },
    () => [...logMetrics(world), ...jobMetrics(world, jobKinds, jobs?.counts().values() ?? [])],
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
  let stopWork = async (): Promise<void> => {}
  const startWork = (): void => {
    const background = { ...world, db: database.background }
    // In every process: who does a job is decided by its lease.
    jobs = startJobs({
      world: { ...world, db: database.jobs },
      db: database.background,
      store: jobStore,
      kinds: jobKinds,
      limits: jobLimits,
      // Which jobs are due, and which leases have ended, is judged by the time.
      mayBegin: () => !watched.hasJumped(),
      isQuiet: isPassing,
    })
    // Whose clock is in doubt leaves it to others: by that clock it would do nothing.
    const lease = holdLease(database.background, {
      name: 'regular work',
      owner: leaseOwner ?? `${world.newId()} process ${process.pid}`,
      mayHold: () => watched.doubt === null,
    })
    const ofAll = workOfAll(background, watched).map((tick) => ({
      ...tick,
      work: async () => {
        if (lease.isHeld()) await tick.work()
      },
    }))
    const ofServer = leaseOwner === undefined ? workOfServer(background) : workOfWorker(background)
    const ticks = startTicks([...ofAll, ...workOfProcess(background, watched), ...ofServer], log, isPassing)
    stopWork = async () => {
      await ticks.stop()
      await lease.stop()
      // What the last ticks wrote is sealed too, and then kept.
      if (leaseOwner !== undefined)
        await sealAll(background)
          .then(() => keepHeads(background))
          .catch(() => {})
    }
  }
  return {
    metrics,
    prepare: server.prepare,
    async listen() {
      try {
        const { port } = await server.listen(config.host, config.port)
        startWork()
        return port
      } catch (error) {
        throw whyNotListening(error, config)
      }
    },
    async stop() {
      await Promise.all([server.stop(stopGraceMs), jobs?.stop(stopGraceMs)])
      await world
        .memory(denials)
        .writeAll()
        .catch(() => {})
      await stopWork()
      await console.stop()
      presence.stop()
    },
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

/** Answers the port that can be listened on. */
async function assertFree({ host, port, metricsPort }: Config): Promise<number> {
  const free = await tryListening(host, port).catch((error: unknown) => {
    throw whyNotListening(error, { host, port })
  })
  if (metricsPort === null) return free
  await tryListening('127.0.0.1', metricsPort).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? metricsPortTaken(metricsPort) : error
  })
  return free
}

const metricsPortTaken = (port: number): UsageError => new UsageError(`--metrics-port ${port} is taken`)

function tryListening(host: string, port: number): Promise<number> {
  const server = createNetServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const found = (server.address() as AddressInfo).port
      server.close(() => resolve(found))
    })
  })
}

/** What is told of elsewhere, once. */
const isPassing = (error: unknown): boolean => isAbsence(error) || error instanceof ClockInDoubt

/** Regular work that one process does for all servers; that two do it at once for a moment does no harm. */
function workOfAll(world: World, clock: WatchedClock): Tick[] {
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
    { name: 'end sessions, links and challenges', everyMs: 5_000, work: ending(forgetEnded) },
    {
      name: 'forget revoked tokens',
      everyMs: 60_000,
      work: ending(({ db, now }) => deleteExpiredRevocations(db, now())),
    },
    { name: 'forget budgets that are full', everyMs: 10_000, work: () => deleteFullBudgets(world.db) },
    { name: 'forget names that plans have shown', everyMs: 3_600_000, work: ending(forgetShown) },
    { name: 'delete old idempotency keys', everyMs: 60_000, work: ending(forgetKeys) },
    {
      name: 'forget used assertions',
      everyMs: 60_000,
      work: ending(({ db, now }) => deleteExpiredAssertions(db, now())),
    },
  ]
}

/** Regular work of every process that serves requests: with what it remembers itself. */
const workOfProcess = (world: World, clock: WatchedClock): Tick[] => [
  {
    name: 'compare the clock',
    everyMs: 1_000,
    work: async () => {
      await clock.isSettled()
    },
  },
  { name: 'write when credentials were last used', everyMs: 5_000, work: () => world.memory(lastUsed).write() },
  { name: 'write when sessions were last seen', everyMs: 5_000, work: () => world.memory(lastSeen).write() },
  { name: 'read when the database was restored', everyMs: 500, work: () => refreshFloor(world) },
  { name: 'count jobs for metrics', everyMs: 5_000, work: () => world.memory(jobTotals).count(world) },
  { name: 'forget tokens that have expired', everyMs: 60_000, work: async () => forgetExpired(world) },
  idleMemory(),
  { name: 'share budgets', everyMs: 1_000, work: () => world.memory(looseBudgets).share() },
  { name: 'write repeated denials', everyMs: 1_000, work: () => world.memory(denials).writeDue() },
]

/** Regular work of every server, by one of its processes: each server keeps the log's end on its own machine. */
const workOfServer = (world: World): Tick[] => [
  { name: 'tell of alerts', everyMs: 5_000, work: () => world.memory(alerts).tell() },
  // The last to be done when the server stops: what the others write is sealed too, and then kept.
  { name: 'seal the system log', everyMs: 250, work: () => sealAll(world) },
  { name: 'keep the end of the system log', everyMs: 1_000, work: () => keepHeads(world) },
  { name: 'tell the witnesses of the system log', everyMs: 5_000, work: () => world.memory(witnesses).tell() },
]

/** Instead of it, in a worker, whose primary seals the log. */
const workOfWorker = (world: World): Tick[] => [
  { name: 'look whether events are sealed', everyMs: 500, work: () => checkSealed(world) },
  { name: 'keep the end of the system log', everyMs: 1_000, work: () => keepHeads(world) },
]

/** In the primary, which tells its workers where the chain ends: by a way that the database has no part in. */
function workOfPrimary(world: World, team: Team): Tick[] {
  const told = new Map<number, number>()
  const tellEnds = async (): Promise<void> => {
    const news = [...chainEnds(world)].filter(([tenantId, { sealNumber }]) => told.get(tenantId) !== sealNumber)
    if (news.length > 0) team.tell({ do: 'learn', ends: news })
    for (const [tenantId, { sealNumber }] of news) told.set(tenantId, sealNumber)
  }
  return [
    { name: 'read when the database was restored', everyMs: 500, work: () => refreshFloor(world) },
    ...workOfServer(world),
    { name: 'tell workers where the system log ends', everyMs: 250, work: tellEnds },
  ]
}

// Two servers on one machine need not agree on a port that nobody asked for.
async function listenForMetrics(metrics: Parameters<typeof serveMetrics>[0], port: number | null, log: Logger) {
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
    await insertBuiltInPolicies(tx, world, tenant.id)
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

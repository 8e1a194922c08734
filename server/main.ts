import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import type { Database } from '#database/open.ts'
import { isAbsence } from '#database/presence.ts'
import type { Listening } from '#database/signals.ts'
import { type HttpLimits, limitsOfWorker } from '#http/guards/limits.ts'
import { addCounted } from '#http/metrics.ts'
import { type ConsoleDoor, openConsole } from '#http/pages/console.ts'
import { findOrBuild } from '#http/pages/console-build.ts'
import type { JobKind } from '#kernel/jobs.ts'
import { openLog } from '#kernel/log.ts'
import type { Route } from '#kernel/routes.ts'
import { guardProcess } from '#kernel/unhandled.ts'
import type { World } from '#kernel/world.ts'
import { datasourcesOf } from '#rooms/events/exports/index.ts'
import {
  keepHeads,
  learnChainEnds,
  logMetrics,
  refuseDatabaseBehind,
  sealUnheld,
} from '#rooms/foundation/systemlog/index.ts'
import { domainServedAt, listTenants, type Tenant } from '#rooms/foundation/tenants/index.ts'
import { seedBuiltInPolicies } from '#rooms/governance/policies/index.ts'
import { identities } from '#rooms/identity/credentials/index.ts'
import { seedBuiltInRoles } from '#rooms/identity/roles/index.ts'
import { findOwnerEmail } from '#rooms/identity/users/index.ts'
import { type Beginning, begin, openServerLog } from './begin.ts'
import { certificateFor } from './certificate.ts'
import { type Config, UsageError } from './config.ts'
import { type Clock, systemClock } from './engine/clock.ts'
import type { JobLimits } from './engine/jobs/runner.ts'
import { endAllLeases, endLeasesOf } from './engine/lease.ts'
import { startTicks } from './engine/ticks.ts'
import { type Founded, foundFirstTenant, type Progress } from './first-tenant.ts'
import { jobKinds as allJobKinds } from './jobs.ts'
import { type Listener, listen, prepareListener } from './listen.ts'
import { listenForMetrics, metricsUrlOf } from './metrics-port.ts'
import { isPassing, workOfPrimary } from './regular-work.ts'
import { routes as allRoutes } from './routes.ts'
import { openTeamMetrics } from './workers/metrics.ts'
import { openTeam, type Team, WorkerFailed } from './workers/primary.ts'
import { obeyPrimary } from './workers/worker.ts'
import { openWorld } from './world.ts'

export type { Progress } from './first-tenant.ts'
export { WorkerFailed } from './workers/primary.ts'

export type Serving = {
  url: string
  tenants: Tenant[]
  /** The email address of a Super Administrator of the first tenant. */
  owner: string | null
  /** What the first start made. */
  founded: Founded | null
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

/** Where only who may change the program can write: the console that was built after the installation is there. */
const besidePackages = fileURLToPath(new URL('../node_modules/.cache/bailiwick', import.meta.url))

/** Has the console built before the first start. */
export const buildConsole = async (log: Logger): Promise<void> => {
  await findOrBuild([besidePackages], log).built
}

export type ServeOptions = {
  /** What is there already, of a start that has begun. */
  begun?: Promise<Beginning>
  /** The console is there when the server is ready, if it is built; otherwise it is built meanwhile. */
  showsConsole?: boolean
  /** How far the demo company is loaded. */
  onProgress?: Progress
  /** What tests may have in place of the usual. */
  routes?: readonly Route[]
  limits?: Partial<HttpLimits>
  clock?: Clock
  jobKinds?: readonly JobKind[]
  jobLimits?: Partial<JobLimits>
}

/** The whole server in this process: data, tenants, HTTP. */
export async function serve(
  config: Config,
  log = openServerLog(config),
  {
    begun = begin(config, 1, log),
    onProgress,
    showsConsole = false,
    routes = allRoutes,
    limits = {},
    clock = systemClock,
    jobKinds = allJobKinds,
    jobLimits = {},
  }: ServeOptions = {},
): Promise<Serving> {
  const { tls, database } = await begun
  const { world, close } = await openWorld(config, 'serve', log, { clock, database })
  try {
    const certificate = await checkData(config, world, database)
    const console = openConsole([besidePackages, config.dataDir], log)
    const shown = showsConsole ? console.find() : null
    const readiness = { isReady: false }
    const http = await listen(config, {
      ...{ world, database, log, routes, clock, console, limits, jobKinds, jobLimits, readiness },
      tls: certificate ?? tls,
    })
    // Once the address is ours: a tenant of an address that someone else serves would be worse than none.
    const founded = await foundFirstTenant(world, config, onProgress).catch(async (error: unknown) => {
      await http.stop()
      throw error
    })
    await shown
    readiness.isReady = true
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
export async function serveByWorkers(
  config: Config,
  { begun, ...options }: ServeOptions & { begun: Promise<Beginning> },
): Promise<Serving> {
  const { log, workers, port, tls, database } = await begun
  if (workers === 1) return serve(config, log, { begun, ...options })
  const { world, close } = await openWorld(config, 'serve', log, { database })
  let team: Team | null = null
  let isReady = false
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
      await listening?.stop()
      await metricsServer?.stop()
    }
    let ticks: ReturnType<typeof startTicks> | undefined
    let listening: Listening | undefined
    try {
      team = await openTeam({
        count: workers,
        log,
        newId: world.newId,
        orders: (leaseOwner) => ({
          ...{ config: { ...config, port }, workers, leaseOwner, isReady },
          tls: certificate ? { cert: certificate.cert, key: certificate.key } : tls,
          socket: database.embedded?.connection ?? null,
        }),
        onGone: (leaseOwner) => void endLeasesOf(database.background, leaseOwner).catch(() => {}),
        onLastReport: metrics.keep,
        onHopeless: () => hopeless(),
      })
      const founded = await foundFirstTenant(world, config, options.onProgress)
      if (options.showsConsole) {
        if (await console.find()) team.tell({ do: 'prepare console' })
        else void console.prepare().then(() => team?.tell({ do: 'prepare console' }))
      }
      isReady = true
      team.tell({ do: 'ready' })
      listening = database.signals.listen(log)
      ticks = startTicks(workOfPrimary({ ...world, db: database.background }, team), {
        ...{ log, isQuiet: isPassing, wakes: database.signals, now: world.now },
      })
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
  let log: Logger | undefined
  const readiness = { isReady: false }
  let shown: Promise<unknown> | undefined
  let opened: { listener: Listener; close(): Promise<void>; console: ConsoleDoor; world: World } | undefined
  const { leave } = obeyPrimary({
    exit,
    isUsage: (error) => error instanceof UsageError,
    logFailure: (error) => (log ?? openLog('error')).error({ err: error, worker: number }, 'a worker could not start'),
    async open(orders) {
      const { config, tls, workers, leaseOwner } = orders
      if (orders.isReady) readiness.isReady = true
      log = openServerLog(config, () => ({ worker: number }))
      const { world, database, close } = await openWorld(config, 'serve', log, { worker: orders })
      const console = openConsole([besidePackages, config.dataDir], log)
      const limits = limitsOfWorker(workers, {
        all: config.maxConnections,
        perNetwork: config.maxConnectionsPerNetwork,
      })
      const parts = { world, database, log, routes: allRoutes, clock: systemClock, console, limits, tls, readiness }
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
    prepareConsole() {
      shown = opened?.console.find()
    },
    async becomeReady() {
      await shown
      readiness.isReady = true
    },
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
  // Whoever mistyped one is told now, not when the first export fails.
  datasourcesOf(world)
  await refuseDatabaseBehind(world)
  // What the last run left unsealed, or what was removed since, is known first.
  await sealUnheld(world)
  await keepHeads(world)
  // Tenants may be older than built-in roles and policies.
  await seedBuiltInRoles(world)
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

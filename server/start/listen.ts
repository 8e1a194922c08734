import type { Logger } from 'pino'
import { standingTo } from '#authority/may.ts'
import { sieve } from '#authority/replies/index.ts'
import type { Database } from '#database/open.ts'
import { isAbsence, type Presence, watchPresence } from '#database/presence.ts'
import type { HttpLimits } from '#http/guards/limits.ts'
import { type Metrics, openMetrics } from '#http/metrics.ts'
import type { ConsoleDoor } from '#http/pages/console.ts'
import type { ServerTls } from '#http/parts.ts'
import { createServer, type HttpServer } from '#http/server.ts'
import type { JobKind } from '#kernel/jobs.ts'
import type { Route } from '#kernel/routes.ts'
import { openWakes } from '#kernel/wakes.ts'
import type { World } from '#kernel/world.ts'
import { subscriptionMetrics } from '#rooms/events/subscriptions/index.ts'
import { jobMetrics } from '#rooms/foundation/jobs/index.ts'
import { denials, logMetrics, recordDenial } from '#rooms/foundation/systemlog/index.ts'
import { tenantsByHost } from '#rooms/foundation/tenants/index.ts'
import { asOwner } from '#rooms/governance/owners/index.ts'
import { authenticate } from '#rooms/identity/sessions/index.ts'
import { servedCertificates } from '#rooms/overview/address/index.ts'
import { batonService } from '#rooms/records/connectors/index.ts'
import { type Clock, type WatchedClock, watchClock } from '#server/engine/clock.ts'
import type { JobLimits } from '#server/engine/jobs/runner.ts'
import { doors } from '#server/registry/doors.ts'
import { type Config, loggingOf } from '#server/settings/config.ts'
import { listenForMetrics, metricsUrlOf } from './metrics-port.ts'
import { whyNotListening } from './ports.ts'
import { watchTlsFiles } from './tls-files.ts'
import { startWork, type Work } from './work.ts'

const stopGraceMs = 10_000

type Listening = {
  port: number
  httpsPort: number | null
  metrics: Metrics
  metricsUrl: string | null
  stop(): Promise<void>
}
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
  /** Whether the server is ready, as `/readyz` reports. */
  readiness: { readonly isReady: boolean }
  /** Of a worker: the name by which its primary knows what it holds. */
  leaseOwner?: string
}

export async function listen(config: Config, parts: ListenParts): Promise<Listening> {
  const listener = prepareListener(config, parts)
  let metricsServer: Awaited<ReturnType<typeof listenForMetrics>> = null
  try {
    metricsServer = await listenForMetrics(listener.metrics, config.metricsPort, parts.log)
    const { port, httpsPort } = await listener.listen()
    return {
      port,
      httpsPort,
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

/** `httpsPort` is the one of `--https-port`. */
type Ports = { port: number; httpsPort: number | null }

export type Listener = {
  metrics: Metrics
  /** Has everything ready, so that `listen` takes no time. */
  prepare(): Promise<void>
  listen(): Promise<Ports>
  stop(): Promise<void>
}

/** Everything that serves requests, but for the port: `listen` opens that, and begins the regular work. */
export function prepareListener(config: Config, parts: ListenParts): Listener {
  const { database, log, clock, console, jobKinds } = parts
  const presence = watchPresence(database.openProbe, (isHere) => {
    if (!isHere) return log.warn('the database is unavailable')
    log.info('the database is available again')
  })
  // What this process remembers of requests, it also writes after requests that changed nothing.
  const used = openWakes(database.signals)
  let work: Work | null = null
  const open = async (of: HttpServer, port: number, flag: string): Promise<number> => {
    try {
      return (await of.listen(config.host, port)).port
    } catch (error) {
      throw whyNotListening(error, { host: config.host, port }, flag)
    }
  }
  const watched = watchClock(clock, database.background, log)
  const world: World = { ...parts.world, clock: watched }
  const metrics: Metrics = openMetrics(
    () => presence.wasHere,
    () => watched.doubt === null,
    {
      connections: () => sum(({ load }) => load.connections()),
      running: () => sum(({ load }) => load.running()),
      waiting: () => sum(({ load }) => load.waiting()),
    },
    () => [
      ...logMetrics(world),
      ...jobMetrics(world, jobKinds, work?.jobs.counts().values() ?? []),
      ...subscriptionMetrics(world),
    ],
  )
  const common = { world, presence, watched, metrics, onUsed: used.wake }
  const certificates = world.memory(servedCertificates)
  const contextFor = (name: string) => certificates.contextFor(name)
  const server = openServer(config, parts, common, parts.tls && { ...parts.tls, contextFor })
  const secure = config.httpsPort === null ? null : openServer(config, parts, common, { contextFor })
  const servers = secure ? [server, secure] : [server]
  const sum = (of: (each: HttpServer) => number): number => servers.reduce((total, each) => total + of(each), 0)
  let files: { stop(): void } | null = null
  return {
    metrics,
    async prepare() {
      await Promise.all(servers.map((each) => each.prepare()))
    },
    async listen() {
      if (parts.tls || secure) await certificates.refresh()
      const port = await open(server, config.port, '--port')
      const httpsPort =
        secure && config.httpsPort !== null ? await open(secure, config.httpsPort, '--https-port') : null
      if (parts.tls) files = watchTlsFiles(config, { log, current: parts.tls, use: server.useCertificate })
      work = startWork({
        ...parts,
        world,
        watched,
        presence,
        used,
        load: server.load,
        inside: {
          certificate: server.inside.certificate,
          openDoor: (host) => server.inside.open(host, pathsOfConnectors(world)),
        },
        servesTls: servers.length > 1 || parts.tls !== null,
      })
      return { port, httpsPort }
    },
    async stop() {
      files?.stop()
      await Promise.all([...servers, ...(work?.dispatchers ?? [])].map((each) => each.stop(stopGraceMs)))
      await world
        .memory(denials)
        .writeAll()
        .catch(() => {})
      await work?.stop()
      await console.stop()
      presence.stop()
    },
  }
}

/** All that a connector calls. */
const pathsOfConnectors = (world: World): string[] => [
  '/auth/v1/token',
  ...batonService(world).methods.map(({ path }) => path),
]

type Common = {
  world: World
  presence: Presence
  watched: WatchedClock
  metrics: Metrics
  onUsed(): void
}

function openServer(
  config: Config,
  { log, routes, console, readiness, limits, tls: own }: ListenParts,
  { world, presence, watched, metrics, onUsed }: Common,
  tls: ServerTls | null,
): HttpServer {
  const httpsPort = own ? config.port : config.httpsPort
  const settings = {
    ...world.settings,
    ...(own && { certificate: own.cert }),
    ...(httpsPort !== null && { httpsPort }),
  }
  return createServer({
    world: { ...world, settings },
    log,
    routes,
    services: [batonService(world)],
    doors,
    tenantOf: tenantsByHost(world.db, Date.now),
    presence: Object.assign(presence, { isAbsence }),
    clock: watched,
    readiness,
    metrics,
    onUsed,
    authenticate: (asked) => authenticate(world, asked),
    standingTo,
    asOwner: (tenant, actor, route, path) => asOwner(world, { tenant, actor, route, path }),
    sieve,
    onDenied: (asked, actor, refusal) => recordDenial(world, { ...asked, actor }, refusal),
    trustedProxies: config.trustedProxy,
    logRequests: loggingOf(config, process.stderr.isTTY).requests,
    console,
    tls,
    limits: {
      connections: { all: config.maxConnections, perNetwork: config.maxConnectionsPerNetwork },
      ...limits,
    },
  })
}

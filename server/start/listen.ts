import type { Logger } from 'pino'
import { standingTo } from '#authority/may.ts'
import { sieve } from '#authority/replies/index.ts'
import type { Database } from '#database/open.ts'
import { isAbsence, type Presence, watchPresence } from '#database/presence.ts'
import type { HttpLimits } from '#http/guards/limits.ts'
import { type Metrics, openMetrics } from '#http/metrics.ts'
import type { ConsoleDoor } from '#http/pages/console.ts'
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
import { batonService } from '#rooms/records/connectors/index.ts'
import { type Clock, type WatchedClock, watchClock } from '#server/engine/clock.ts'
import type { JobLimits } from '#server/engine/jobs/runner.ts'
import { doors } from '#server/registry/doors.ts'
import { type Config, loggingOf } from '#server/settings/config.ts'
import { listenForMetrics, metricsUrlOf } from './metrics-port.ts'
import { whyNotListening } from './ports.ts'
import { startWork, type Work } from './work.ts'

const stopGraceMs = 10_000

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

export type Listener = {
  metrics: Metrics
  /** Has everything ready, so that `listen` takes no time. */
  prepare(): Promise<void>
  listen(): Promise<number>
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
  const watched = watchClock(clock, database.background, log)
  const world: World = { ...parts.world, clock: watched }
  const metrics: Metrics = openMetrics(
    () => presence.wasHere,
    () => watched.doubt === null,
    {
      connections: () => server.load.connections(),
      running: () => server.load.running(),
      waiting: () => server.load.waiting(),
    },
    () => [
      ...logMetrics(world),
      ...jobMetrics(world, jobKinds, work?.jobs.counts().values() ?? []),
      ...subscriptionMetrics(world),
    ],
  )
  const server = openServer(config, parts, { world, presence, watched, metrics, onUsed: used.wake })
  return {
    metrics,
    prepare: server.prepare,
    async listen() {
      try {
        const { port } = await server.listen(config.host, config.port)
        work = startWork({ ...parts, world, watched, presence, used, load: server.load })
        return port
      } catch (error) {
        throw whyNotListening(error, config)
      }
    },
    async stop() {
      await Promise.all([server, ...(work?.dispatchers ?? [])].map((each) => each.stop(stopGraceMs)))
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

type ServerParts = {
  world: World
  presence: Presence
  watched: WatchedClock
  metrics: Metrics
  onUsed(): void
}

function openServer(
  config: Config,
  { log, routes, console, tls, readiness, limits }: ListenParts,
  { world, presence, watched, metrics, onUsed }: ServerParts,
): HttpServer {
  return createServer({
    world: tls ? { ...world, settings: { ...world.settings, certificate: tls.cert } } : world,
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

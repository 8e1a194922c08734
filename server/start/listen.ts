import type { Logger } from 'pino'
import { standingTo } from '#authority/may.ts'
import { sieve } from '#authority/replies/index.ts'
import type { Database } from '#database/open.ts'
import { isAbsence, watchPresence } from '#database/presence.ts'
import type { HttpLimits } from '#http/guards/limits.ts'
import { type Metrics, openMetrics } from '#http/metrics.ts'
import type { ConsoleDoor } from '#http/pages/console.ts'
import { createServer, type HttpServer } from '#http/server.ts'
import type { JobKind } from '#kernel/jobs.ts'
import type { Route } from '#kernel/routes.ts'
import { openWakes } from '#kernel/wakes.ts'
import type { World } from '#kernel/world.ts'
import { sendEvents, subscriptionMetrics } from '#rooms/events/subscriptions/index.ts'
import { jobMetrics, jobStore } from '#rooms/foundation/jobs/index.ts'
import { denials, keepHeads, logMetrics, recordDenial, sealAll } from '#rooms/foundation/systemlog/index.ts'
import { tenantsByHost } from '#rooms/foundation/tenants/index.ts'
import { asOwner } from '#rooms/governance/owners/index.ts'
import { authenticate } from '#rooms/identity/sessions/index.ts'
import { batonService } from '#rooms/records/connectors/index.ts'
import { type Clock, watchClock } from '#server/engine/clock.ts'
import { type Dispatcher, startDispatch } from '#server/engine/dispatch/dispatcher.ts'
import { type JobLimits, type Jobs, startJobs } from '#server/engine/jobs/runner.ts'
import { wakeOnJumps } from '#server/engine/jumps.ts'
import { holdLease } from '#server/engine/lease.ts'
import { startTicks } from '#server/engine/ticks.ts'
import { doors } from '#server/registry/doors.ts'
import {
  dispatchesOfAll,
  isPassing,
  workOfAll,
  workOfProcess,
  workOfServer,
  workOfWorker,
} from '#server/registry/regular-work.ts'
import { type Config, loggingOf } from '#server/settings/config.ts'
import { listenForMetrics, metricsUrlOf } from './metrics-port.ts'
import { whyNotListening } from './ports.ts'

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
  const { database, log, routes, clock, console, tls, jobKinds, jobLimits, leaseOwner } = parts
  const presence = watchPresence(database.openProbe, (isHere) => {
    if (!isHere) return log.warn('the database is unavailable')
    log.info('the database is available again')
  })
  const { signals } = database
  // What this process remembers of requests, it also writes after requests that changed nothing.
  const used = openWakes(signals)
  let jobs: Jobs | null = null
  let dispatchers: Dispatcher[] = []
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
      ...jobMetrics(world, jobKinds, jobs?.counts().values() ?? []),
      ...subscriptionMetrics(world),
    ],
  )
  const server: HttpServer = createServer({
    world: tls ? { ...world, settings: { ...world.settings, certificate: tls.cert } } : world,
    log,
    routes,
    services: [batonService(world)],
    doors,
    tenantOf: tenantsByHost(world.db, Date.now),
    presence: Object.assign(presence, { isAbsence }),
    clock: watched,
    readiness: parts.readiness,
    metrics,
    onUsed: used.wake,
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
      ...parts.limits,
    },
  })
  let stopWork = async (): Promise<void> => {}
  const startWork = (): void => {
    const background = { ...world, db: database.background }
    const listening = signals.listen(log)
    // Where this connection is lost, so may the others be.
    listening.onLost(presence.suspect)
    // Wakes the others to find changes that a killed process did not announce.
    signals.changed()
    const jumps = wakeOnJumps(clock, signals.wakeHere)
    const holding = {
      owner: leaseOwner ?? `${world.newId()} process ${process.pid}`,
      // What the last one left is found by looking at everything.
      onHeld: signals.wakeHere,
      session: listening,
      wakes: signals,
      processes: world.settings.workers ?? 1,
    }
    const lease = holdLease(database.background, { ...holding, name: 'regular work', mayHold: () => true })
    // Whose clock is in doubt leaves this to others: by that clock it would do nothing.
    const ending = holdLease(database.background, {
      ...holding,
      name: 'work by the time',
      number: 2,
      mayHold: () => watched.doubt === null,
    })
    const dispatch = { world, sinceJumpMs: watched.sinceJumpMs, wakes: signals, isQuiet: isPassing }
    const ofJobs = { ...world, db: database.jobs }
    // In every process: a lease decides which of them does a job or sends to a subscription.
    jobs = startJobs({
      ...dispatch,
      world: ofJobs,
      db: database.background,
      store: jobStore,
      kinds: jobKinds,
      limits: jobLimits,
    })
    dispatchers = [
      jobs,
      startDispatch(sendEvents(ofJobs, server.load), dispatch),
      ...dispatchesOfAll(background).map((each) => startDispatch(each, { ...dispatch, mayBegin: lease.isHeld })),
    ]
    const ofAll = workOfAll(background, watched).map((tick) => {
      const { isHeld } = tick.isByTime ? ending : lease
      return {
        ...tick,
        work: async () => (isHeld() ? tick.work() : undefined),
        nextDue: async (before: Date) => (isHeld() ? ((await tick.nextDue?.(before)) ?? null) : null),
      }
    })
    const ofServer = leaseOwner === undefined ? workOfServer(background) : workOfWorker(background)
    const ticks = startTicks([...ofAll, ...workOfProcess(background, watched, used), ...ofServer], {
      log,
      isQuiet: isPassing,
      wakes: signals,
      now: world.now,
    })
    stopWork = async () => {
      jumps.stop()
      await ticks.stop()
      await Promise.all([lease.stop(), ending.stop()])
      await listening.stop()
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
      await Promise.all([server, ...dispatchers].map((each) => each.stop(stopGraceMs)))
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

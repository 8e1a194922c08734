import type { Logger } from 'pino'
import { isAbsence } from '#database/presence.ts'
import { limitsOfWorker } from '#http/guards/limits.ts'
import { type ConsoleDoor, openConsole } from '#http/pages/console.ts'
import { openLog } from '#kernel/log.ts'
import { guardProcess } from '#kernel/unhandled.ts'
import type { World } from '#kernel/world.ts'
import { learnChainEnds } from '#rooms/foundation/systemlog/index.ts'
import { identities } from '#rooms/identity/credentials/index.ts'
import { systemClock } from '#server/engine/clock.ts'
import { jobKinds as allJobKinds } from '#server/registry/jobs.ts'
import { routes as allRoutes } from '#server/registry/routes.ts'
import { UsageError } from '#server/settings/config.ts'
import { obeyPrimary } from '#server/workers/worker.ts'
import { openServerLog } from './begin.ts'
import { besidePackages } from './console-files.ts'
import { type Listener, prepareListener } from './listen.ts'
import { openWorld } from './world.ts'

/** The program of a worker process: carries out the messages of its primary. */
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

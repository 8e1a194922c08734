import { Registry } from 'prom-client'
import { isAbsence } from '#database/presence.ts'
import type { Listening } from '#database/signals.ts'
import { addCounted } from '#http/metrics.ts'
import { openConsole } from '#http/pages/console.ts'
import { guardProcess } from '#kernel/unhandled.ts'
import type { World } from '#kernel/world.ts'
import { logMetrics } from '#rooms/foundation/systemlog/index.ts'
import { endLeasesOf } from '#server/engine/lease.ts'
import { startTicks } from '#server/engine/ticks.ts'
import { isPassing, workOfPrimary } from '#server/registry/regular-work.ts'
import { type Config, UsageError } from '#server/settings/config.ts'
import { openTeamMetrics } from '#server/workers/metrics.ts'
import { openTeam, type Team, WorkerFailed } from '#server/workers/primary.ts'
import type { Beginning } from './begin.ts'
import { checkData } from './check-data.ts'
import { besidePackages } from './console-files.ts'
import { foundFirstTenant } from './first-tenant.ts'
import { listenForMetrics, metricsUrlOf } from './metrics-port.ts'
import { serve } from './serve.ts'
import { describe, type ServeOptions, type Serving } from './serving.ts'
import { openWorld } from './world.ts'

/** Serves with as many processes as the settings require, or as are useful. */
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
    const metrics = openMetrics(world, () => team)
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
          config: { ...config, port },
          workers,
          leaseOwner,
          isReady,
          tls: certificate ? { cert: certificate.cert, key: certificate.key } : tls,
          socket: database.embedded?.connection ?? null,
        }),
        onGone: (leaseOwner) => void endLeasesOf(database.background, leaseOwner).catch(() => {}),
        onLastReport: metrics.keep,
        onHopeless: () => hopeless(),
        asked: options.asked,
      })
      const founded = await foundFirstTenant(world, config, options.onProgress)
      if (options.showsConsole) await showConsole(console, team)
      isReady = true
      team.send({ do: 'ready' })
      listening = database.signals.listen(log)
      ticks = startTicks(workOfPrimary({ ...world, db: database.background }, team), {
        log,
        isQuiet: isPassing,
        wakes: database.signals,
        now: world.now,
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
          team?.send({ do: 'prepare console' })
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

function openMetrics(world: World, team: () => Team | null) {
  const registry = new Registry()
  const metrics = openTeamMetrics(team, registry)
  addCounted(registry, () => logMetrics(world))
  return metrics
}

async function showConsole(console: ReturnType<typeof openConsole>, team: Team): Promise<void> {
  if (await console.find()) team.send({ do: 'prepare console' })
  else void console.prepare().then(() => team.send({ do: 'prepare console' }))
}

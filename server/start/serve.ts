import { isAbsence } from '#database/presence.ts'
import { openConsole } from '#http/pages/console.ts'
import { guardProcess } from '#kernel/unhandled.ts'
import { systemClock } from '#server/engine/clock.ts'
import { jobKinds as allJobKinds } from '#server/registry/jobs.ts'
import { routes as allRoutes } from '#server/registry/routes.ts'
import type { Config } from '#server/settings/config.ts'
import { begin, openServerLog } from './begin.ts'
import { checkData } from './check-data.ts'
import { besidePackages } from './console-files.ts'
import { foundFirstTenant } from './first-tenant.ts'
import { listen } from './listen.ts'
import { describe, type ServeOptions, type Serving } from './serving.ts'
import { openWorld } from './world.ts'

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
      world,
      database,
      log,
      routes,
      clock,
      console,
      limits,
      jobKinds,
      jobLimits,
      readiness,
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

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { migrate } from '#database/migrate.ts'
import { type Database, openDatabase } from '#database/open.ts'
import { isAbsence, watchPresence } from '#database/presence.ts'
import { keepCertificate } from '#http/certificate.ts'
import { type ConsoleDoor, openConsole } from '#http/console.ts'
import { type Metrics, openMetrics, serveMetrics } from '#http/metrics.ts'
import { createServer } from '#http/server.ts'
import { canonicalHost } from '#kernel/hosts.ts'
import { idMaker } from '#kernel/ids.ts'
import { openLog } from '#kernel/log.ts'
import { openMemory } from '#kernel/memory.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { forgetIdleRuns, stepRuns, sweepChanges } from '#rooms/automation/index.ts'
import { lastUsed } from '#rooms/credentials/index.ts'
import { expireGrants } from '#rooms/grants/index.ts'
import { asOwner } from '#rooms/owners/index.ts'
import { authenticate, forgetEnded, lastSeen, makeLink } from '#rooms/sessions/index.ts'
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
} from '#rooms/systemlog/index.ts'
import { domainServedAt, listTenants, type Tenant, tenantsByHost } from '#rooms/tenants/index.ts'
import { deleteExpiredAssertions } from '#rooms/tokens/index.ts'
import { findOwnerEmail, findUserByEmail, foundTenant } from '#rooms/users/index.ts'
import { type Config, type DataConfig, UsageError } from './config.ts'
import { type DemoCounts, loadDemoCompany } from './demo/load.ts'
import { startTicks, type Tick } from './engine/ticks.ts'
import { routes as allRoutes } from './routes.ts'
import { openSeals } from './secret-key.ts'

export type Opened = { world: World; database: Database; close(): Promise<void> }

/** Opens the data: the database, at its newest schema, and the secret key that belongs to it. */
export async function openWorld(
  config: DataConfig & Partial<Pick<Config, 'systemlogWitness' | 'tokensPerMinute'>>,
  purpose: 'serve' | 'command',
  log: Logger,
): Promise<Opened> {
  const database = await openDatabase({
    from: config.databaseUrl === null ? { dataDir: config.dataDir, purpose } : { url: config.databaseUrl },
    applicationName: `bailiwick ${purpose} ${process.pid}`,
    onEvent: ({ level, message }) => log[level](message),
  })
  try {
    for (const { version, name } of await migrate(database.db)) log.info({ version, name }, 'migrated')
    const keyFile = config.secretKeyFile ?? join(config.dataDir, 'secret.key')
    const now = (): Date => new Date()
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
        headsFile: config.headsFile ?? `${keyFile}.heads`,
        ...(config.systemlogWitness && { witnesses: config.systemlogWitness }),
        ...(config.tokensPerMinute && { tokensPerMinute: config.tokensPerMinute }),
      },
    }
    await openKept(world)
    return { world, database, close: database.close }
  } catch (error) {
    await database.close()
    throw error
  }
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
  /** Has the console ready before someone asks for it. */
  prepareConsole(): Promise<void>
  /** Ends it all: what is under way has `stopGraceMs` to finish. */
  stop(): Promise<void>
}

const stopGraceMs = 10_000
const metricsPortDefault = 9464
/** Where only who may change the program can write. */
const besidePackages = fileURLToPath(new URL('../node_modules/.cache/bailiwick', import.meta.url))

/** The whole server: data, tenants, HTTP. `routes` is for tests that add their own. */
export async function serve(config: Config, log = openLog(config.logLevel), routes = allRoutes): Promise<Serving> {
  const ownCertificate = await readCertificate(config)
  const { world, database, close } = await openWorld(config, 'serve', log)
  try {
    await refuseDatabaseBehind(world)
    // Before anyone is let in: what the last run left unsealed, or what was removed since, is known first.
    await sealAll(world)
    await keepHeads(world)
    const certificate = config.tlsSelfSigned ? await certificateFor(config, world) : null
    const console = openConsole([besidePackages, config.dataDir], log)
    const http = await listen(config, { world, log, routes, console, tls: certificate ?? ownCertificate })
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

type Listening = { port: number; metricsUrl: string | null; stop(): Promise<void> }
type ListenParts = {
  world: World
  log: Logger
  routes: readonly Route[]
  console: ConsoleDoor
  tls: { cert: string; key: string } | null
}

async function listen(config: Config, { world, log, routes, console, tls }: ListenParts): Promise<Listening> {
  const presence = watchPresence(world.db, (isHere) =>
    isHere ? log.info('the database is back') : log.warn('the database is away'),
  )
  const metrics = openMetrics(
    () => presence.isHere,
    () => logMetrics(world),
  )
  const server = createServer({
    world,
    log,
    routes,
    tenantOf: tenantsByHost(world.db, Date.now),
    presence: Object.assign(presence, { isAbsence }),
    metrics,
    authenticate: (asked) => authenticate(world, asked),
    asOwner: (tenant, actor, route, path) => asOwner(world, { tenant, actor, route, path }),
    onDenied: (asked, actor, refusal) => recordDenial(world, { ...asked, actor }, refusal),
    trustedProxies: config.trustedProxy,
    console,
    tls,
  })
  let metricsServer: Awaited<ReturnType<typeof listenForMetrics>> = null
  try {
    metricsServer = await listenForMetrics(metrics, config.metricsPort, log)
    const { port } = await server.listen(config.host, config.port)
    const ticks = startTicks(regularWork(world), log, isAbsence)
    return {
      port,
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
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new UsageError(`${config.host}:${config.port} is taken; choose another --port`)
    if (code === 'EACCES') throw new UsageError(`port ${config.port} is not open to this user; choose another --port`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new UsageError(`--host ${config.host} is not an address of this machine`)
    throw error
  }
}

/** What the engine does all the time, on every server: each piece is safe to do on several at once. */
const regularWork = (world: World): Tick[] => [
  { name: 'take back what was given for a time', everyMs: 1_000, work: () => expireGrants(world) },
  { name: 'ask rules about who changed', everyMs: 200, work: () => sweepChanges(world) },
  { name: 'run rules', everyMs: 200, work: () => stepRuns(world) },
  { name: 'forget runs that did nothing', everyMs: 3_600_000, work: () => forgetIdleRuns(world) },
  { name: 'write when credentials were last used', everyMs: 5_000, work: () => world.memory(lastUsed).write() },
  { name: 'write when sessions were last seen', everyMs: 5_000, work: () => world.memory(lastSeen).write() },
  { name: 'end sessions, links and challenges', everyMs: 5_000, work: () => forgetEnded(world) },
  { name: 'forget used assertions', everyMs: 60_000, work: () => deleteExpiredAssertions(world.db, world.now()) },
  { name: 'read when the database was restored', everyMs: 500, work: () => refreshFloor(world) },
  { name: 'write repeated denials', everyMs: 1_000, work: () => world.memory(denials).writeDue() },
  { name: 'tell of alerts', everyMs: 5_000, work: () => world.memory(alerts).tell() },
  // The last to be done when the server stops: what the others write is sealed too, and then kept.
  { name: 'seal the system log', everyMs: 250, work: () => sealAll(world) },
  { name: 'keep the end of the system log', everyMs: 1_000, work: () => keepHeads(world) },
  { name: 'tell the witnesses of the system log', everyMs: 5_000, work: () => world.memory(witnesses).tell() },
]

// Two servers on one machine need not agree on a port that nobody asked for.
async function listenForMetrics(metrics: Metrics, port: number | null, log: Logger) {
  try {
    return await serveMetrics(metrics, port ?? metricsPortDefault)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    if (port !== null) throw new UsageError(`--metrics-port ${port} is taken`)
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

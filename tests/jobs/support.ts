import type { JobCall, JobKind, JobName } from '#kernel/jobs.ts'
import { jobKind, jobName } from '#kernel/jobs.ts'
import { openLog } from '#kernel/log.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type Enqueued, enqueue, type Job, jobStore, listJobs } from '#rooms/foundation/jobs/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { type JobLimits, type Jobs, startJobs } from '#server/engine/jobs/runner.ts'
import { openWorld } from '#server/start/world.ts'
import { until } from '../fixture/later.ts'
import type { TestServer } from '../fixture/server.ts'

/** Quick to look; leases that a machine that does much else does not miss. Tests of what leases are for end them by hand. */
const quickLimits: JobLimits = { concurrency: 8, tenantMax: 8, leaseMs: 60_000, idleMs: { least: 10, most: 50 } }

export type Runner = {
  world: World
  jobs: Jobs
  /** What it logged. */
  logged: Record<string, unknown>[]
  /** As `kill -9` looks to the others: not a word more reaches the database. */
  cut(): Promise<void>
  stop(graceMs?: number): Promise<void>
}

/** A runner with connections of its own, as another server has. */
export async function openRunner(
  server: TestServer,
  kinds: readonly JobKind[],
  limits: Partial<JobLimits> = {},
): Promise<Runner> {
  const logged: Record<string, unknown>[] = []
  const log = openLog('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) })
  const { world, database, close } = await openWorld(server.config, 'command', log)
  const listening = database.signals.listen(log)
  await until(() => database.signals.isHearing)
  const jobs = startJobs({
    world,
    db: world.db,
    store: jobStore,
    kinds,
    limits: { ...quickLimits, ...limits },
    wakes: database.signals,
    isQuiet: () => false,
  })
  let isCut = false
  return {
    world,
    jobs,
    logged,
    async cut() {
      isCut = true
      await world.db.end(0)
      await listening.stop()
      await jobs.stop(0)
    },
    async stop(graceMs = 5_000) {
      await jobs.stop(graceMs)
      if (isCut) return
      await listening.stop()
      await close()
    },
  }
}

/** As if the leases of what runs had not been renewed for their time. */
export const endLeases = (world: World, kind: string): Promise<unknown> =>
  world.db`update jobs set due_at = now() - interval '1 s' where kind = ${kind} and state = 'running'`

export type Handler<P extends object> = (call: JobCall<P>) => Promise<void>

/** A kind that is tried again after a few milliseconds, unless said otherwise. */
export function testKind<P extends object>(
  kind: string,
  handle: Handler<P>,
  changes: Partial<Omit<JobKind, 'kind' | 'handle'>> = {},
): { name: JobName<P>; kind: JobKind } {
  const name = jobName<P>(kind)
  return {
    name,
    kind: jobKind(name, {
      title: `Test ${kind}`,
      retry: { firstMs: 20, maxMs: 100, attemptsMax: 5 },
      limitPerTenant: 4,
      afterUnknown: 'retry',
      attemptMs: 20_000,
      ...changes,
      handle,
    }),
  }
}

export const put = <P extends object>(
  world: World,
  tenant: Tenant,
  name: JobName<P>,
  ...jobs: readonly Enqueued<P>[]
): Promise<void> => transact(world.db, (tx) => enqueue(tx, world, operatorCause(tenant, 'test'), name, ...jobs))

export const jobsOf = (world: World, tenant: Tenant, kind: string): Promise<Job[]> =>
  listJobs(world.db, tenant.id, { kind, state: null }, { after: null, limit: 100 })

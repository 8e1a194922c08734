import { hostname } from 'node:os'
import { type JobKind, type JobStore, jobBell, LeaseLost } from '#kernel/jobs.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { Db } from '#kernel/sql.ts'
import { openRest, type Wakes } from '#kernel/wakes.ts'
import type { World } from '#kernel/world.ts'
import { type AttemptOutcome, type AttemptParts, attempt, type Running, Stopping } from './attempt.ts'

export type JobLimits = {
  /** How many jobs this process runs at once. */
  concurrency: number
  /** How many run at once for one tenant, of all kinds, on all servers. */
  tenantMax: number
  /** After so long without a word from its server, a job is taken up by another. */
  leaseMs: number
  /** How often to look when there is nothing to do, while there are changes: more and more rarely. */
  idleMs: { least: number; most: number }
}

const usualJobLimits: JobLimits = {
  concurrency: 16,
  tenantMax: 8,
  leaseMs: 30_000,
  idleMs: { least: 100, most: 2_000 },
}

export type JobsParts = {
  /** What handlers are given. */
  world: World
  /** For the runner's own statements. */
  db: Db
  store: JobStore
  kinds: readonly JobKind[]
  /** How long ago the clock last jumped: leases that end by a jump have not ended. */
  sinceJumpMs?: () => number
  /** Tells that there may be jobs. */
  wakes: Wakes
  /** What is told of elsewhere, once. */
  isQuiet: (error: unknown) => boolean
  limits?: Partial<JobLimits>
}

/** Attempts that ended, by kind and outcome. */
export type JobCounts = ReadonlyMap<string, { kind: string; outcome: AttemptOutcome; count: number; seconds: number }>

export type Jobs = {
  counts(): JobCounts
  /** Begins nothing more; what runs has this long to end, and is then told to. */
  stop(graceMs: number): Promise<void>
}

const tenantsAtOnce = 1000
const tellAgainMs = 60_000
const lastWordsMs = 2_000

/**
 * Runs jobs, tenant by tenant in turns, so that one with many does not hold up the others. Any number of processes may do so on one database:
 * each job is claimed by one of them, under a lease that it renews.
 */
export function startJobs(parts: JobsParts): Jobs {
  const { world, db, store, kinds, sinceJumpMs = () => Number.POSITIVE_INFINITY, wakes, isQuiet, limits } = parts
  const { concurrency, tenantMax, leaseMs, idleMs } = { ...usualJobLimits, ...limits }
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]))
  const names = [...byName.keys()]
  const holder = `${hostname()} ${process.pid}`
  const ofAttempt: AttemptParts = { world, store, db, patienceMs: leaseMs, isQuiet }
  const running = new Map<Running, Promise<void>>()
  const counts = new Map<string, { kind: string; outcome: AttemptOutcome; count: number; seconds: number }>()
  let isStopped = false
  let lastTenantId = 0
  let turns = 0

  const begin = (tenant: Tenancy, kind: JobKind, job: Running['job'], leaseUntilMs: number): void => {
    const one: Running = { tenant, kind, job, abort: new AbortController(), leaseUntilMs, standing: 'running' }
    const startedMs = performance.now()
    running.set(
      one,
      attempt(one, ofAttempt).then((outcome) => {
        running.delete(one)
        const counted = counts.get(`${kind.kind} ${outcome}`) ?? { kind: kind.kind, outcome, count: 0, seconds: 0 }
        counted.count += 1
        counted.seconds += (performance.now() - startedMs) / 1000
        counts.set(`${kind.kind} ${outcome}`, counted)
        bell.ring()
      }),
    )
  }

  /** One turn for each tenant that has work; answers how many jobs it began. */
  const round = async (): Promise<number> => {
    let begun = 0
    const tenants = await store.listDueTenants(db, names, lastTenantId, tenantsAtOnce)
    for (const [i, tenant] of tenants.entries()) {
      const free = concurrency - running.size
      if (isStopped || free <= 0) break
      lastTenantId = tenant.id
      const first = turns++ % kinds.length
      const inTurn = [...kinds.slice(first), ...kinds.slice(0, first)]
      const countMax = Math.max(1, Math.floor(free / (tenants.length - i)))
      const leaseUntilMs = performance.now() + leaseMs
      try {
        const mayTakeOver = sinceJumpMs() > leaseMs
        const wanted = { kinds: inTurn, tenantMax, countMax, leaseMs, holder, mayTakeOver }
        for (const job of await store.claim(world, db, tenant.id, wanted)) {
          begun++
          begin(tenant, byName.get(job.kind) as JobKind, job, leaseUntilMs)
        }
      } catch (error) {
        // One tenant's trouble is not the others'.
        if (isQuiet(error)) throw error
        tell(error)
      }
    }
    return begun
  }

  let told = { message: '', untilMs: 0 }
  const tell = (error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error)
    if (isQuiet(error) || (told.message === message && told.untilMs > performance.now())) return
    told = { message, untilMs: performance.now() + tellAgainMs }
    world.log.error({ err: error }, 'jobs could not be claimed')
  }

  const bell = openRest({
    wakes,
    now: world.now,
    everyMs: idleMs.least,
    nextDue: (before) => store.findNextDue(db, names, before),
  })
  world.memory(jobBell).onRing(bell.ring)

  const run = async (): Promise<void> => {
    let restMs = idleMs.least
    while (!isStopped) {
      const seen = wakes.count
      let begun = 0
      let again = sinceJumpMs() <= leaseMs
      try {
        if (running.size < concurrency) begun = await round()
      } catch (error) {
        again = true
        tell(error)
      }
      restMs = begun > 0 ? idleMs.least : Math.min(restMs * 2, idleMs.most)
      if (begun === 0 || running.size >= concurrency) await bell.rest(seen, { again, everyMs: restMs })
    }
  }

  const heart = startHeart(running, { store, db, leaseMs })
  const looping = kinds.length > 0 ? run() : Promise.resolve()
  return {
    counts: () => counts,
    async stop(graceMs) {
      isStopped = true
      bell.ring()
      await looping
      await Promise.race([Promise.all(running.values()), after(graceMs)])
      for (const { abort } of running.keys()) abort.abort(new Stopping('the server stops'))
      await Promise.race([Promise.all(running.values()), after(lastWordsMs)])
      heart.stop()
    },
  }
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())

/** Renews the leases of what runs. What cannot be renewed in time is told to stop: another server may have it by now. */
function startHeart(
  running: ReadonlyMap<Running, unknown>,
  { store, db, leaseMs }: { store: JobStore; db: Db; leaseMs: number },
): { stop(): void } {
  const lose = (one: Running): void => {
    if (one.standing !== 'running') return
    one.standing = 'lost'
    one.abort.abort(new LeaseLost(`the lease of job ${one.job.id} was lost`))
  }
  const renew = async (mine: readonly Running[]): Promise<void> => {
    const tenantId = mine[0]?.tenant.id as number
    const leaseUntilMs = performance.now() + leaseMs
    try {
      const jobs = mine.map(({ job }) => job)
      const kept = new Set(await store.renew(db, tenantId, jobs, leaseMs))
      for (const one of mine)
        if (kept.has(one.job.id)) one.leaseUntilMs = leaseUntilMs
        else lose(one)
    } catch {
      // The database does not answer: the leases hold until they end.
      for (const one of mine) if (performance.now() >= one.leaseUntilMs) lose(one)
    }
  }
  let isBeating = false
  const beat = async (): Promise<void> => {
    if (isBeating) return
    isBeating = true
    // Not of what is being finished: its row is locked by its own transaction, which no other server gets past.
    // Nor of what was told to stop for the time it takes, so that another server may have it.
    const due = [...running.keys()].filter(({ standing, abort }) => standing === 'running' && !abort.signal.aborted)
    await Promise.all([...Map.groupBy(due, ({ tenant }) => tenant.id).values()].map(renew))
    isBeating = false
  }
  const timer = setInterval(() => void beat(), leaseMs / 3)
  return { stop: () => clearInterval(timer) }
}

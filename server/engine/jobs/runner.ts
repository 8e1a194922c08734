import { hostname } from 'node:os'
import type { Dispatch } from '#kernel/dispatch.ts'
import { type JobKind, type JobStore, jobDispatch } from '#kernel/jobs.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { Db } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type Dispatcher, type DispatchParts, startDispatch } from '../dispatch/dispatcher.ts'
import { type AttemptOutcome, type AttemptParts, attempt, type JobWork } from './attempt.ts'

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

export type JobsParts = Omit<DispatchParts, 'world'> & {
  /** What handlers are given. */
  world: World
  /** For the runner's own statements. */
  db: Db
  store: JobStore
  kinds: readonly JobKind[]
  limits?: Partial<JobLimits>
}

/** Attempts that ended, by kind and outcome. */
export type JobCounts = ReadonlyMap<string, { kind: string; outcome: AttemptOutcome; count: number; seconds: number }>

export type Jobs = Dispatcher & { counts(): JobCounts }

const tenantsAtOnce = 1000

/**
 * Runs jobs. Any number of processes may do so on one database: each job is claimed by one of them, under a lease that it renews.
 */
export function startJobs({ world, db, store, kinds, limits, ...parts }: JobsParts): Jobs {
  const { concurrency, tenantMax, leaseMs, idleMs } = { ...usualJobLimits, ...limits }
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]))
  const names = [...byName.keys()]
  const holder = `${hostname()} ${process.pid}`
  const ofAttempt: AttemptParts = { world, store, db, patienceMs: leaseMs, isQuiet: parts.isQuiet }
  const counts = new Map<string, { kind: string; outcome: AttemptOutcome; count: number; seconds: number }>()
  let claims = 0

  const count = (kind: string, outcome: AttemptOutcome, seconds: number): void => {
    const counted = counts.get(`${kind} ${outcome}`) ?? { kind, outcome, count: 0, seconds: 0 }
    counted.count += 1
    counted.seconds += seconds
    counts.set(`${kind} ${outcome}`, counted)
  }

  const jobs: Dispatch<Tenancy, JobWork> = {
    name: jobDispatch,
    inAll: concurrency,
    leaseMs,
    everyMs: idleMs,
    isPrompt: true,
    listDue: ({ after }) => store.listDueTenants(db, names, after, tenantsAtOnce),
    nextDue: (before) => store.findNextDue(db, names, before),
    async claim(tenant, { countMax, mayTakeOver }) {
      const first = claims++ % kinds.length
      const inTurn = [...kinds.slice(first), ...kinds.slice(0, first)]
      const wanted = { kinds: inTurn, tenantMax, countMax, leaseMs, holder, mayTakeOver }
      const claimed = await store.claim(world, db, tenant.id, wanted)
      return claimed.map((job) => ({ id: job.id, kind: byName.get(job.kind) as JobKind, job, standing: 'running' }))
    },
    async perform(running) {
      const startedMs = performance.now()
      const outcome = await attempt(running, ofAttempt)
      count(running.work.kind.kind, outcome, (performance.now() - startedMs) / 1000)
    },
    renew: ({ id }, works) =>
      store.renew(
        db,
        id,
        works.map(({ job }) => job),
        leaseMs,
      ),
    // Not of what is being finished: its row is locked by its own transaction, which no other server gets past.
    isRenewed: ({ standing }) => standing === 'running',
  }
  return { ...startDispatch(jobs, { world, mayBegin: () => kinds.length > 0, ...parts }), counts: () => counts }
}

import { type Attempt, LeaseLost, Stopping } from '#kernel/dispatch.ts'
import type { ClaimedJob, JobCall, JobKind, JobStore, NotFinished } from '#kernel/jobs.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { type Db, onOutcome, type Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { afterFailure, TimedOut } from './outcome.ts'

/** A job that this process runs. */
export type JobWork = {
  readonly id: string
  readonly kind: JobKind
  readonly job: ClaimedJob
  /** `finishing`: its end is written, and not committed yet. `unknown`: whether it was committed is not known. */
  standing: 'running' | 'finishing' | 'finished' | 'unknown' | 'lost'
}

type Running = Attempt<Tenancy, JobWork>

export type AttemptParts = {
  /** The world that handlers get. */
  world: World
  store: JobStore
  /** For the writes of the runner itself: handlers that use all connections do not keep a job from ending. */
  db: Db
  /** How long after its signal a handler may still hold its place. */
  patienceMs: number
  isQuiet: (error: unknown) => boolean
}

export type AttemptOutcome = 'done' | 'retried' | 'stuck' | 'released' | 'lost'

/** Runs a job once, and records its outcome. Never throws. */
export async function attempt(running: Running, parts: AttemptParts): Promise<AttemptOutcome> {
  const { work, abort } = running
  const clocks = startClocks(running)
  let failure: { error: unknown } | null = null
  try {
    await Promise.race([work.kind.handle(callOf(running, parts)), abandoned(abort.signal, parts.patienceMs, work)])
  } catch (error) {
    failure = { error }
  } finally {
    clocks.stop()
  }
  try {
    return await settle(running, parts, failure)
  } catch (error) {
    // The lease expires, and some process claims the job again.
    if (!parts.isQuiet(error)) logFailure(running, parts, error, 'the end of a job could not be written')
    return 'lost'
  }
}

function callOf({ tenant, work, abort }: Running, { world, store }: AttemptParts): JobCall {
  const { leaseId, deadlineAt: _, ...job } = work.job
  return {
    ...world,
    tenant,
    job,
    signal: abort.signal,
    async finishIn(tx: Tx) {
      if (!isOurs(work, abort)) throw new LeaseLost(`job ${job.id} is ${work.standing}`)
      work.standing = 'finishing'
      onOutcome(tx, (outcome) => {
        if (work.standing !== 'finishing') return
        work.standing = outcome === 'committed' ? 'finished' : outcome === 'rolled back' ? 'running' : 'unknown'
      })
      if (await store.finish(tx, tenant.id, { id: job.id, leaseId })) return
      work.standing = 'lost'
      throw new LeaseLost(`job ${job.id} is no longer leased to this server`)
    },
  }
}

const isOurs = ({ standing }: JobWork, { signal }: AbortController): boolean =>
  standing === 'running' && !(signal.reason instanceof LeaseLost)

/** Aborts an attempt that takes too long, or that reaches its job's deadline. */
function startClocks({ work: { kind, job }, abort }: Running): { stop(): void } {
  const abortWith = (why: string) => () => abort.abort(new TimedOut(why))
  const clocks = [
    setTimeout(abortWith(`The attempt took longer than ${kind.attemptMs / 1000} s.`), kind.attemptMs),
    ...(job.deadlineAt
      ? [setTimeout(abortWith('The deadline passed.'), timerMs(job.deadlineAt.getTime() - Date.now()))]
      : []),
  ]
  return { stop: () => clocks.forEach(clearTimeout) }
}

// Node fires timers beyond 2^31 ms at once.
const timerMs = (ms: number): number => Math.min(Math.max(ms, 0), 2 ** 31 - 1)

/** Rejects some time after the signal: a handler that ignores it cannot hold its place forever. */
const abandoned = (signal: AbortSignal, patienceMs: number, { id }: JobWork): Promise<never> =>
  new Promise((_, reject) => {
    const give = (): void =>
      void setTimeout(() => reject(new LeaseLost(`job ${id} did not heed its signal`)), patienceMs).unref()
    if (signal.aborted) give()
    else signal.addEventListener('abort', give, { once: true })
  })

async function settle(
  running: Running,
  parts: AttemptParts,
  failure: { error: unknown } | null,
): Promise<AttemptOutcome> {
  const { tenant, work, abort } = running
  const { kind, job } = work
  const { store, db, world } = parts
  if (work.standing === 'finished') {
    if (failure) logFailure(running, parts, failure.error, 'a job failed after it was finished')
    return 'done'
  }
  // If a handler began to finish in a transaction, and the outcome is not known, the lease decides.
  if (!isOurs(work, abort)) return 'lost'
  if (!failure) return (await store.finish(db, tenant.id, job)) ? 'done' : lost(running, parts)
  if (failure.error instanceof LeaseLost) return lost(running, parts)
  const reason: unknown = abort.signal.aborted ? abort.signal.reason : null
  const outcome: NotFinished =
    reason instanceof Stopping && kind.afterUnknown === 'retry'
      ? { next: 'release' }
      : afterFailure(kind, job, reason instanceof TimedOut ? reason : failure.error, {
          now: world.now(),
          random: Math.random(),
        })
  if (!(await store.putBack(db, tenant.id, job, outcome))) return lost(running, parts)
  if (outcome.next === 'release') return 'released'
  if (outcome.next === 'stuck') {
    logFailure(running, parts, failure.error, 'a job is stuck')
    return 'stuck'
  }
  if (!parts.isQuiet(failure.error)) logFailure(running, parts, failure.error, 'a job failed and will be retried')
  return 'retried'
}

function lost(running: Running, parts: AttemptParts): 'lost' {
  parts.world.log.warn(aboutOf(running), 'the lease of a job was lost; another attempt follows')
  return 'lost'
}

const aboutOf = ({ tenant, work: { kind, job } }: Running) => ({
  job: job.id,
  kind: kind.kind,
  tenant: tenant.publicId,
  attempt: job.attempt,
})

const logFailure = (running: Running, { world }: AttemptParts, err: unknown, message: string): void =>
  world.log[message === 'a job is stuck' ? 'error' : 'warn']({ ...aboutOf(running), err }, message)

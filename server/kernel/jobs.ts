import type { Tenancy } from './routes.ts'
import type { Db, Reads, Tx } from './sql.ts'
import type { World } from './world.ts'

/**
 * Jobs: work that happens later, once. Rooms declare kinds of jobs as data, server/engine/jobs runs them, and the room
 * foundation/jobs stores them. The reasons for the design: docs/decisions/0052-jobs.md.
 */

/** The name of a kind, for code that enqueues it and need not know the room that does the work. */
export type JobName<P extends object = object> = { readonly kind: string; readonly ofPayload?: P }

/** The delay doubles from `firstMs` to `maxMs`, give or take a fifth. After `attemptsMax` attempts the job is stuck. */
export type RetryPolicy = { readonly firstMs: number; readonly maxMs: number; readonly attemptsMax: number }

/** What a job is about, as operators see it. */
export type JobSubject = { readonly type: string; readonly id: string }

/** Who started it. */
export type JobCause = { readonly operation: string; readonly requestId: string; readonly userId: string }

/** One attempt at a job, as its handler sees it. */
export type JobCall<P extends object = object> = World & {
  readonly tenant: Tenancy
  readonly job: {
    readonly id: string
    readonly kind: string
    /** 1 for the first. */
    readonly attempt: number
    readonly payload: P
    readonly subject: JobSubject
    readonly cause: JobCause
    readonly createdAt: Date
  }
  /** Aborted when the lease is lost, when the server stops, at the deadline, and after `attemptMs`. */
  readonly signal: AbortSignal
  /**
   * Finishes the job in the handler's own transaction: its writes and the end of the job are committed together or not
   * at all. Throws `LeaseLost` if another process has the job by now, so that nothing is committed twice.
   */
  finishIn(tx: Tx): Promise<void>
}

export type JobKind = {
  readonly kind: string
  /** What people call it, in a few words: `Task deadline`. */
  readonly title: string
  readonly retry: RetryPolicy
  /** How many run at once for one tenant, on all servers together. */
  readonly limitPerTenant: number
  /**
   * If the outcome of an attempt is unknown (its server died, its lease ran out, an unexpected error): `retry` for work
   * that may be repeated, `stuck` for work that may not, which then waits for an operator.
   */
  readonly afterUnknown: 'retry' | 'stuck'
  /** How long one attempt may take. */
  readonly attemptMs: number
  readonly handle: (call: JobCall) => Promise<void>
}

export const jobName = <P extends object = object>(kind: string): JobName<P> => ({ kind })

type Definition<P extends object> = Omit<JobKind, 'kind' | 'handle'> & { handle: (call: JobCall<P>) => Promise<void> }

export const jobKind = <P extends object>({ kind }: JobName<P>, definition: Definition<P>): JobKind =>
  ({ ...definition, kind }) as unknown as JobKind

/** A failed attempt, in words that operators may read: no secrets, no addresses with keys in them. */
export class JobFailed extends Error {
  override name = 'JobFailed'
  /** False: another attempt would not help, and the job is stuck at once. */
  readonly mayRetry: boolean
  /** Not before this time; for receivers that set one. */
  readonly afterMs: number

  constructor(message: string, { mayRetry = true, afterMs = 0 }: { mayRetry?: boolean; afterMs?: number } = {}) {
    super(message)
    this.mayRetry = mayRetry
    this.afterMs = afterMs
  }
}

/** Which job, and which claim of it. */
export type Lease = { readonly id: string; readonly leaseId: string }

export type ClaimedJob = JobCall['job'] & {
  readonly leaseId: string
  readonly deadlineAt: Date | null
}

/** What happens to a job after an attempt that did not finish it. */
export type NotFinished =
  /** Runs again after this delay. */
  | { readonly next: 'wait'; readonly delayMs: number; readonly error: string }
  /** The attempt does not count: the server stopped. */
  | { readonly next: 'release' }
  | { readonly next: 'stuck'; readonly error: string }

export type ClaimWanted = {
  readonly kinds: readonly Pick<JobKind, 'kind' | 'limitPerTenant' | 'afterUnknown' | 'retry'>[]
  /** How many may run at once for one tenant, of all kinds together. */
  readonly tenantMax: number
  readonly countMax: number
  readonly leaseMs: number
  readonly holder: string
  /** False just after a jump of the clock: the process that runs a job could not yet renew its lease. */
  readonly mayTakeOver: boolean
}

/** The storage of jobs, for the runner. */
export type JobStore = {
  /** Tenants with jobs that are due, by id, beginning after this one and wrapping around. */
  listDueTenants(db: Reads, kinds: readonly string[], lastId: number, limit: number): Promise<Tenancy[]>
  /** When the next job is due, or the lease of one ends, before a time. */
  findNextDue(db: Reads, kinds: readonly string[], before: Date): Promise<Date | null>
  /** Takes jobs of one tenant that are due, as far as the limits allow on all servers together. */
  claim(world: Pick<World, 'newId' | 'log'>, db: Db, tenantId: number, wanted: ClaimWanted): Promise<ClaimedJob[]>
  /** Returns the ids of those whose lease is still held. */
  renew(db: Reads, tenantId: number, leases: readonly Lease[], leaseMs: number): Promise<string[]>
  /** Returns whether the lease was still held. */
  finish(db: Reads, tenantId: number, lease: Lease): Promise<boolean>
  putBack(db: Db, tenantId: number, lease: Lease, outcome: NotFinished): Promise<boolean>
}

/** The name of the dispatcher of jobs. */
export const jobDispatch = 'jobs'

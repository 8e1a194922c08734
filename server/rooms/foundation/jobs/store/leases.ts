import type { JobCall, Lease } from '#kernel/jobs.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { findEarliest } from '#kernel/tenants-with.ts'

/**
 * Tenants with jobs of these kinds that are due, by id, beginning after the one that was served last and wrapping
 * around.
 */
export async function listDueTenants(
  db: Reads,
  kinds: readonly string[],
  lastId: number,
  limit: number,
): Promise<Tenancy[]> {
  return db<Tenancy[]>`
    select tenant_id as id, public_id as "publicId", domain from tenants
    where tenant_id in (select tenant_id from jobs where kind = any(${kinds}::text[]) and due_at <= now())
    order by tenant_id <= ${lastId}, tenant_id limit ${limit}`
}

/** For running jobs, it is when their leases end. */
export const findNextDue = (db: Reads, kinds: readonly string[], before: Date): Promise<Date | null> =>
  findEarliest(db, db`select due_at as at from jobs where kind = any(${kinds}::text[]) and due_at <= ${before}`)

// 'jobs': for one tenant, one server claims at a time, so that what it counts stays true until it has claimed.
const lockKey = 0x6a6f6273

export async function tryLockClaims(tx: Tx, tenantId: number): Promise<boolean> {
  const [row] = await tx<{ taken: boolean }[]>`
    select pg_try_advisory_xact_lock(${lockKey}::int, ${tenantId}::int) as taken`
  return row?.taken === true
}

/** How many run, by kind; those whose lease has ended are about to be taken over. */
export async function countRunning(tx: Tx, tenantId: number): Promise<Map<string, number>> {
  const rows = await tx<{ kind: string; count: number }[]>`
    select kind, count(*)::int as count from jobs
    where tenant_id = ${tenantId} and state = 'running' and due_at > now() group by kind`
  return new Map(rows.map(({ kind, count }) => [kind, count]))
}

/** Of these kinds, those with jobs that are due: looking for the jobs of a kind takes two statements. */
export async function listDueKinds(tx: Tx, tenantId: number, kinds: readonly string[]): Promise<Set<string>> {
  const rows = await tx<{ kind: string }[]>`
    select k.kind from unnest(${kinds}::text[]) k(kind)
    where exists (select 1 from jobs j where j.tenant_id = ${tenantId} and j.kind = k.kind and j.due_at <= now())`
  return new Set(rows.map(({ kind }) => kind))
}

export type DueJob = Omit<JobCall['job'], 'attempt'> & {
  attempts: number
  /** Its server did not finish it, and did not renew its lease. */
  isAbandoned: boolean
  deadlineAt: Date | null
  isTooLate: boolean
}

/**
 * The first of a kind that are due; of those in a lane, only the first of the lane. If the clock has just jumped, not
 * those whose lease or deadline it has passed.
 */
export async function lockDue(
  tx: Tx,
  tenantId: number,
  kind: string,
  { limit, mayTakeOver }: { limit: number; mayTakeOver: boolean },
): Promise<DueJob[]> {
  return tx<DueJob[]>`
    select j.job_id as id, j.kind, j.attempts, j.payload, j.cause, j.created_at as "createdAt",
      json_build_object('type', j.subject_type, 'id', j.subject_id) as subject,
      j.state = 'running' as "isAbandoned", j.deadline_at as "deadlineAt",
      coalesce(j.deadline_at <= now(), false) as "isTooLate"
    from jobs j
    where j.tenant_id = ${tenantId} and j.kind = ${kind} and j.due_at <= now()
      ${mayTakeOver ? tx`` : tx`and j.state = 'waiting' and (j.deadline_at is null or j.deadline_at > now())`}
      and (j.lane is null or not exists (
        select 1 from jobs f where f.tenant_id = ${tenantId} and f.kind = ${kind} and f.lane = j.lane and f.job_id < j.job_id))
    order by j.due_at, j.job_id limit ${limit} for update of j skip locked`
}

export async function startLocked(
  tx: Tx,
  tenantId: number,
  ids: readonly string[],
  lease: { id: string; holder: string; ms: number },
): Promise<void> {
  await tx`
    update jobs set state = 'running', attempts = attempts + 1, started_at = now(), lease_id = ${lease.id},
      lease_holder = ${lease.holder}, due_at = statement_timestamp() + ${lease.ms} * interval '1 ms'
    where tenant_id = ${tenantId} and job_id = any(${ids}::text[])`
}

export async function stickLocked(tx: Tx, tenantId: number, ids: readonly string[], error: string): Promise<void> {
  await tx`
    update jobs set state = 'stuck', due_at = null, lease_id = null, last_error = ${error}
    where tenant_id = ${tenantId} and job_id = any(${ids}::text[])`
}

const postponedAtOnce = 10_000

/**
 * Jobs behind one of their lane that waits or is stuck, maybe for days, are not checked again for a while; deleting
 * that one wakes the next. Not those behind one that runs: it may be finished at the same moment, unseen. Nor those
 * behind one that another process is deleting: it would wake the next before it is postponed here.
 */
export async function postponeBlocked(tx: Tx, tenantId: number, kind: string, ms: number): Promise<void> {
  const ahead = tx`f.tenant_id = ${tenantId} and f.kind = ${kind} and f.lane = j.lane and f.job_id < j.job_id`
  const blocked = await tx<{ id: string; firstId: string }[]>`
    select j.job_id as id, (select f.job_id from jobs f where ${ahead} order by f.job_id limit 1) as "firstId" from jobs j
    where j.tenant_id = ${tenantId} and j.kind = ${kind} and j.state = 'waiting' and j.due_at <= now()
      and j.lane is not null and exists (select 1 from jobs f where ${ahead})
      and not exists (select 1 from jobs f where ${ahead} and f.state = 'running')
    limit ${postponedAtOnce}`
  if (blocked.length === 0) return
  // A transaction that deletes one of these from now on waits until this is committed, and wakes the next then.
  const held = await tx<{ id: string }[]>`
    select job_id as id from jobs
    where tenant_id = ${tenantId} and job_id = any(${[...new Set(blocked.map(({ firstId }) => firstId))]}::text[])
    for key share skip locked`
  const heldIds = new Set(held.map(({ id }) => id))
  const ids = blocked.filter(({ firstId }) => heldIds.has(firstId)).map(({ id }) => id)
  if (ids.length === 0) return
  // Locked separately, without the rows that it was compared with: a cluster locks rows of one table only.
  await tx`
    update jobs set due_at = now() + ${ms} * interval '1 ms'
    where tenant_id = ${tenantId} and job_id in (
      select j.job_id from jobs j
      where j.tenant_id = ${tenantId} and j.job_id = any(${ids}::text[]) and j.state = 'waiting' and j.due_at <= now()
      for update skip locked)`
}

export async function renewLeases(
  db: Reads,
  tenantId: number,
  leases: readonly Lease[],
  leaseMs: number,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    update jobs set due_at = statement_timestamp() + ${leaseMs} * interval '1 ms'
    where tenant_id = ${tenantId} and job_id = any(${leases.map(({ id }) => id)}::text[])
      and lease_id = any(${leases.map(({ leaseId }) => leaseId)}::text[]) and state = 'running'
    returning job_id as id`
  return rows.map(({ id }) => id)
}

/** The job that was deleted, if the lease was still held. */
export async function deleteLeased(
  db: Reads,
  tenantId: number,
  { id, leaseId }: Lease,
): Promise<{ kind: string; lane: string | null } | null> {
  const [row] = await db<{ kind: string; lane: string | null }[]>`
    delete from jobs where tenant_id = ${tenantId} and job_id = ${id} and lease_id = ${leaseId} returning kind, lane`
  return row ?? null
}

/** The next of a lane need not wait any longer. */
export async function wakeNext(db: Reads, tenantId: number, kind: string, lane: string): Promise<void> {
  await db`
    update jobs set due_at = now()
    where tenant_id = ${tenantId} and state = 'waiting' and attempts = 0 and due_at > now() and job_id = (
      select job_id from jobs where tenant_id = ${tenantId} and kind = ${kind} and lane = ${lane}
      order by job_id limit 1)`
}

export async function lockLeased(
  tx: Tx,
  tenantId: number,
  { id, leaseId }: Lease,
): Promise<{ kind: string; key: string | null; attempts: number } | null> {
  const [row] = await tx<{ kind: string; key: string | null; attempts: number }[]>`
    select kind, key, attempts from jobs
    where tenant_id = ${tenantId} and job_id = ${id} and lease_id = ${leaseId} for update`
  return row ?? null
}

/** If another one waits under the key by now, it replaces the failed one, with its attempts and its delay. */
export async function handOver(
  tx: Tx,
  tenantId: number,
  { kind, key }: { kind: string; key: string },
  { attempts, delayMs, error }: { attempts: number; delayMs: number; error: string },
): Promise<boolean> {
  const { count } = await tx`
    update jobs set attempts = greatest(attempts, ${attempts}), last_error = ${error},
      due_at = greatest(due_at, now() + ${delayMs} * interval '1 ms')
    where tenant_id = ${tenantId} and kind = ${kind} and key = ${key} and state = 'waiting'`
  return count > 0
}

export async function waitAgain(
  tx: Tx,
  tenantId: number,
  id: string,
  { attempts, delayMs, error }: { attempts: number; delayMs: number; error: string | null },
): Promise<void> {
  await tx`
    update jobs set state = 'waiting', lease_id = null, attempts = ${attempts},
      last_error = coalesce(${error}, last_error), due_at = now() + ${delayMs} * interval '1 ms'
    where tenant_id = ${tenantId} and job_id = ${id}`
}

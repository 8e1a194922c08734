import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { Job } from './job.ts'

const columns = (db: Reads) => db`
  job_id as id, kind, state, json_build_object('type', subject_type, 'id', subject_id) as subject, cause, key, lane,
  attempts, last_error as "lastError", created_at as "createdAt", started_at as "startedAt", due_at as "dueAt",
  deadline_at as "deadlineAt", case when state = 'running' then lease_holder else '' end as holder`

export type JobFilter = { kind: string; state: Job['state'] | null }

/** The newest first. */
export async function listJobs(
  db: Reads,
  tenantId: number,
  { kind, state }: JobFilter,
  { after, limit }: Pick<Page, 'after' | 'limit'>,
): Promise<Job[]> {
  return db<Job[]>`
    select ${columns(db)} from jobs
    where tenant_id = ${tenantId} ${after ? db`and job_id < ${after[0] as string}` : db``}
      ${kind === '' ? db`` : db`and kind = ${kind}`} ${ofState(db, state)}
    order by job_id desc limit ${limit}`
}

// As a literal in the text, so that the index of those in that state is used, even by a generic plan.
const ofState = (db: Reads, state: Job['state'] | null) =>
  state === null
    ? db``
    : { waiting: db`and state = 'waiting'`, running: db`and state = 'running'`, stuck: db`and state = 'stuck'` }[state]

export async function findJob(db: Reads, tenantId: number, id: string): Promise<Job | null> {
  const [row] = await db<Job[]>`select ${columns(db)} from jobs where tenant_id = ${tenantId} and job_id = ${id}`
  return row ?? null
}

export async function lockJob(tx: Tx, tenantId: number, id: string): Promise<Job | null> {
  const [row] = await tx<Job[]>`
    select ${columns(tx)} from jobs where tenant_id = ${tenantId} and job_id = ${id} for update`
  return row ?? null
}

/** Makes the job that waits under a key due now. Returns its id, if one waits. */
export async function hurryByKey(tx: Tx, tenantId: number, kind: string, key: string): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    update jobs set due_at = now()
    where tenant_id = ${tenantId} and kind = ${kind} and key = ${key} and state = 'waiting' returning job_id as id`
  return row?.id ?? null
}

/** As if it had just been enqueued, and without a deadline: a person requested it. */
export async function beginAgain(tx: Tx, tenantId: number, id: string): Promise<void> {
  await tx`
    update jobs set state = 'waiting', due_at = now(), attempts = 0, deadline_at = null
    where tenant_id = ${tenantId} and job_id = ${id} and state <> 'running'`
}

export async function deleteJob(tx: Tx, tenantId: number, id: string): Promise<void> {
  await tx`delete from jobs where tenant_id = ${tenantId} and job_id = ${id} and state <> 'running'`
}

export type JobTotals = { kind: string; state: Job['state']; count: number; lateSeconds: number }

/** Of all tenants together, for metrics. */
export async function countJobs(db: Reads): Promise<JobTotals[]> {
  return db<JobTotals[]>`
    select kind, state, count(*)::int as count,
      coalesce(extract(epoch from now() - min(due_at) filter (where state = 'waiting' and due_at <= now())), 0)::float8
        as "lateSeconds"
    from jobs group by kind, state`
}

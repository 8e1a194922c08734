import type { JobCause, JobSubject } from '#kernel/jobs.ts'
import type { Tx } from '#kernel/sql.ts'

export type NewJob = {
  id: string
  kind: string
  key: string | null
  lane: string | null
  runAt: Date | null
  deadlineAt: Date | null
  payload: object
  subject: JobSubject
  cause: JobCause
}

/**
 * If one waits under the same key, that one replaces both, and runs when the earlier of them would have; one that has
 * failed keeps its delay.
 */
export async function insertJobs(tx: Tx, tenantId: number, jobs: readonly NewJob[]): Promise<void> {
  await tx`
    insert into jobs (tenant_id, job_id, kind, key, lane, due_at, deadline_at, payload, subject_type, subject_id, cause,
      created_at)
    select ${tenantId}, j.id, j.kind, j.key, j.lane, coalesce(j.run_at, now()), j.deadline_at, j.payload::jsonb,
      j.subject_type, j.subject_id, j.cause::jsonb, now()
    from unnest(
      ${jobs.map(({ id }) => id)}::text[], ${jobs.map(({ kind }) => kind)}::text[],
      ${jobs.map(({ key }) => key)}::text[], ${jobs.map(({ lane }) => lane)}::text[],
      ${jobs.map(({ runAt }) => runAt?.toISOString() ?? null)}::timestamptz[],
      ${jobs.map(({ deadlineAt }) => deadlineAt?.toISOString() ?? null)}::timestamptz[],
      ${jobs.map(({ payload }) => JSON.stringify(payload))}::text[],
      ${jobs.map(({ subject }) => subject.type)}::text[], ${jobs.map(({ subject }) => subject.id)}::text[],
      ${jobs.map(({ cause }) => JSON.stringify(cause))}::text[]
    ) as j (id, kind, key, lane, run_at, deadline_at, payload, subject_type, subject_id, cause)
    on conflict (tenant_id, kind, key) where state = 'waiting' and key is not null do update
    set due_at = case when jobs.attempts = 0 then least(jobs.due_at, excluded.due_at) else jobs.due_at end`
}

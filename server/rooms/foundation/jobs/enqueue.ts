import { dispatchBells } from '#kernel/dispatch.ts'
import { type JobName, type JobSubject, jobDispatch } from '#kernel/jobs.ts'
import { onOutcome, type Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { Cause } from '#rooms/foundation/systemlog/index.ts'
import { insertJobs, type NewJob } from './store/queue.ts'

export type Enqueued<P extends object> = {
  /** Ids of what the work is about; the objects are read again when the job runs. Never a secret, and never a permission. */
  payload: P
  /** What it is about, as operators see it. */
  subject?: JobSubject
  /** At most one job of the kind waits under a key: enqueuing a second one keeps the first. */
  key?: string
  /** The earliest time. */
  runAt?: Date
  /** No attempt begins after this time. */
  deadlineAt?: Date
} & (
  | { lane?: undefined }
  /** Jobs of the kind in one lane run one after the other, in the order in which they were enqueued. One that is stuck holds its lane. */
  | { lane: string; runAt?: undefined }
)

const keyMax = 500

/** Enqueues work for later, if the transaction commits. */
export async function enqueue<P extends object>(
  tx: Tx,
  world: World,
  cause: Pick<Cause, 'tenant' | 'actor' | 'operation' | 'requestId'>,
  { kind }: JobName<P>,
  ...all: readonly Enqueued<P>[]
): Promise<void> {
  const byKey = new Map<string, NewJob>()
  for (const { payload, subject, key, lane, runAt, deadlineAt } of all) {
    if ((key ?? '').length > keyMax || (lane ?? '').length > keyMax) throw new Error(`a key of ${kind} is too long`)
    const id = world.newId()
    const { operation, requestId, actor } = cause
    const job: NewJob = {
      id,
      kind,
      key: key ?? null,
      lane: lane ?? null,
      runAt: runAt ?? null,
      deadlineAt: deadlineAt ?? null,
      payload,
      subject: subject ?? { type: '', id: '' },
      cause: { operation, requestId, userId: actor.userId },
    }
    const same = key === undefined ? undefined : byKey.get(`key ${key}`)
    if (same) same.runAt = earlier(same.runAt, job.runAt)
    else byKey.set(key === undefined ? id : `key ${key}`, job)
  }
  const jobs = [...byKey.values()]
  if (jobs.length === 0) return
  await insertJobs(tx, cause.tenant.id, jobs)
  const at = jobs.reduce<Date | null>((first, { runAt }) => earlier(first, runAt), jobs[0]?.runAt ?? null)
  if (at === null || at <= world.now())
    onOutcome(tx, (outcome) => outcome !== 'rolled back' && world.memory(dispatchBells).ring(jobDispatch))
}

/** Null is now. */
const earlier = (a: Date | null, b: Date | null): Date | null => (a && b ? (a < b ? a : b) : null)

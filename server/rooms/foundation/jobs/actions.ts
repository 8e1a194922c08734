import { dispatchBells } from '#kernel/dispatch.ts'
import { jobDispatch } from '#kernel/jobs.ts'
import { Refusal } from '#kernel/refusals.ts'
import { onOutcome, type Reads, type Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type CauseBy, change, record } from '#rooms/foundation/systemlog/index.ts'
import type { Job } from './job.ts'
import { wakeNext } from './store/leases.ts'
import { beginAgain, deleteJob, findJob, hurryByKey, lockJob } from './store.ts'

const jobNotFound = (id: string): Refusal =>
  new Refusal('JOB_NOT_FOUND', `There is no job ${id}. Jobs that are done are deleted.`, { metadata: { id } })

const jobRunning = (id: string): Refusal =>
  new Refusal('JOB_RUNNING', `The job ${id} is running; wait for this attempt to end.`, { metadata: { id } })

type Managing = CauseBy<'jobs.manage' | 'operator'>

export async function getJob(db: Reads, tenantId: number, id: string): Promise<Job> {
  const job = await findJob(db, tenantId, id)
  if (!job) throw jobNotFound(id)
  return job
}

async function lockIdle(tx: Tx, tenantId: number, id: string): Promise<Job> {
  const job = await lockJob(tx, tenantId, id)
  if (!job) throw jobNotFound(id)
  if (job.state === 'running') throw jobRunning(id)
  return job
}

/**
 * Runs a job now that is stuck or waits for its next attempt. If another one waits under its key, that one replaces
 * both, and is returned.
 */
export async function retryJob(tx: Tx, world: World, cause: Managing, id: string): Promise<Job> {
  const { tenant } = cause
  const job = await lockIdle(tx, tenant.id, id)
  const isStuck = job.state === 'stuck'
  const sameId = isStuck && job.key !== null ? await hurryByKey(tx, tenant.id, job.kind, job.key) : null
  if (sameId === null) await beginAgain(tx, tenant.id, id).catch(refuseTakenKey)
  else {
    await deleteJob(tx, tenant.id, id)
    if (job.lane !== null) await wakeNext(tx, tenant.id, job.kind, job.lane)
  }
  await record(tx, world, cause, change(cause, 'update', `Retried the job ${job.kind}`, [touched(job)]))
  wake(tx, world)
  return getJob(tx, tenant.id, sameId ?? id)
}

/** Deletes a job that is stuck or waits: its work is not done. */
export async function dropJob(tx: Tx, world: World, cause: Managing, id: string): Promise<Job> {
  const { tenant } = cause
  const job = await lockIdle(tx, tenant.id, id)
  await deleteJob(tx, tenant.id, id)
  if (job.lane !== null) await wakeNext(tx, tenant.id, job.kind, job.lane)
  await record(tx, world, cause, change(cause, 'delete', `Deleted the job ${job.kind}`, [touched(job)]))
  wake(tx, world)
  return job
}

const touched = ({ id, kind, state, subject, attempts, lastError }: Job) => ({
  type: 'job',
  id,
  name: kind,
  data: { kind, state, subject, attempts, lastError },
})

const wake = (tx: Tx, world: World): void =>
  onOutcome(tx, (outcome) => outcome !== 'rolled back' && world.memory(dispatchBells).ring(jobDispatch))

// 23505: another one was enqueued under the key at the same moment.
function refuseTakenKey(error: unknown): never {
  if ((error as { code?: string }).code !== '23505') throw error
  throw new Refusal('LOST_RACE', 'The same work is already being enqueued; try again.')
}

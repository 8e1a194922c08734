import type { ClaimedJob, ClaimWanted, JobStore, Lease, NotFinished } from '#kernel/jobs.ts'
import { type Db, type Reads, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import {
  countRunning,
  type DueJob,
  deleteLeased,
  findNextDue,
  handOver,
  listDueKinds,
  listDueTenants,
  lockDue,
  lockLeased,
  postponeBlocked,
  renewLeases,
  startLocked,
  stickLocked,
  tryLockClaims,
  waitAgain,
  wakeNext,
} from './store/leases.ts'

const blockedMs = 60_000

const unknownOutcome = 'The outcome is unknown: the server that ran it stopped unexpectedly.'
const tooLate = 'The deadline passed before the job could run.'

/** Why a job that is due must not be started again; empty if it may be. */
function whyStuck({ isAbandoned, isTooLate, attempts }: DueJob, kind: ClaimWanted['kinds'][number]): string {
  if (isAbandoned && kind.afterUnknown === 'stuck') return unknownOutcome
  // A job that ends its server each time must not do so forever.
  if (isAbandoned && attempts >= kind.retry.attemptsMax) return `${unknownOutcome} That was attempt ${attempts}.`
  return isTooLate ? tooLate : ''
}

async function claim(
  { newId, log }: Pick<World, 'newId' | 'log'>,
  db: Db,
  tenantId: number,
  { kinds, tenantMax, countMax, leaseMs, holder, mayTakeOver }: ClaimWanted,
): Promise<ClaimedJob[]> {
  return transact(db, async (tx) => {
    if (!(await tryLockClaims(tx, tenantId))) return []
    const running = await countRunning(tx, tenantId)
    const kindsDue = await listDueKinds(
      tx,
      tenantId,
      kinds.map(({ kind }) => kind),
    )
    const runningAll = [...running.values()].reduce((sum, each) => sum + each, 0)
    let free = Math.min(countMax, tenantMax - runningAll)
    const leaseId = newId()
    const claimed: ClaimedJob[] = []
    for (const kind of kinds) {
      const wanted = Math.min(free, kind.limitPerTenant - (running.get(kind.kind) ?? 0))
      if (wanted <= 0 || !kindsDue.has(kind.kind)) continue
      const due = await lockDue(tx, tenantId, kind.kind, { limit: wanted, mayTakeOver })
      // After a full page there may be others; with an empty one, those due only wait for another.
      if (due.length === 0) await postponeBlocked(tx, tenantId, kind.kind, blockedMs)
      for (const job of due) {
        const error = whyStuck(job, kind)
        if (error === '') {
          const { attempts, isAbandoned: _, isTooLate: __, ...rest } = job
          claimed.push({ ...rest, attempt: attempts + 1, leaseId })
          free--
          continue
        }
        await stickLocked(tx, tenantId, [job.id], error)
        log.error({ job: job.id, kind: kind.kind, tenantId, attempt: job.attempts }, 'a job is stuck')
      }
    }
    const ids = claimed.map(({ id }) => id)
    if (ids.length > 0) await startLocked(tx, tenantId, ids, { id: leaseId, holder, ms: leaseMs })
    return claimed
  })
}

async function finish(db: Reads, tenantId: number, lease: Lease): Promise<boolean> {
  const done = await deleteLeased(db, tenantId, lease)
  if (done?.lane) await wakeNext(db, tenantId, done.kind, done.lane)
  return done !== null
}

const triesMax = 5
// Another job was enqueued under the key at the same moment.
const isKeyTaken = (error: unknown): boolean => (error as { code?: string }).code === '23505'

async function putBack(db: Db, tenantId: number, lease: Lease, outcome: NotFinished): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      return await putBackOnce(db, tenantId, lease, outcome)
    } catch (error) {
      if (!isKeyTaken(error) || tries === triesMax) throw error
    }
  }
}

const putBackOnce = (db: Db, tenantId: number, lease: Lease, outcome: NotFinished): Promise<boolean> =>
  transact(db, async (tx) => {
    const job = await lockLeased(tx, tenantId, lease)
    if (!job) return false
    if (outcome.next === 'stuck') {
      await stickLocked(tx, tenantId, [lease.id], outcome.error)
      return true
    }
    const { kind, key } = job
    const again =
      outcome.next === 'wait'
        ? { attempts: job.attempts, delayMs: outcome.delayMs, error: outcome.error }
        : { attempts: job.attempts - 1, delayMs: 0, error: null }
    if (key !== null && (await handOver(tx, tenantId, { kind, key }, { ...again, error: again.error ?? '' })))
      await finish(tx, tenantId, lease)
    else await waitAgain(tx, tenantId, lease.id, again)
    return true
  })

/** The storage of jobs for the runner in server/engine/jobs. */
export const jobStore: JobStore = { listDueTenants, findNextDue, claim, renew: renewLeases, finish, putBack }

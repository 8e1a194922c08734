import { type JobKind, jobKind } from '#kernel/jobs.ts'
import { transact } from '#kernel/sql.ts'
import { forgetUser } from '#rooms/identity/credentials/index.ts'
import { causeOfJob } from '../cause.ts'
import { heldDecided } from '../jobs.ts'
import { findDirectory } from '../store.ts'
import { decideMore } from './actions.ts'

/** Continues with what an administrator decided, some at a time: what was committed is not repeated. */
export const heldJob: JobKind = jobKind(heldDecided, {
  title: 'Decision about held deactivations',
  retry: { firstMs: 1_000, maxMs: 60_000, attemptsMax: 50 },
  limitPerTenant: 1,
  afterUnknown: 'retry',
  attemptMs: 3_600_000,
  async handle(call) {
    const { tenant, job } = call
    const { appId } = job.payload
    const decision = (await findDirectory(call.db, tenant.id, appId))?.heldDecision
    if (!decision) return
    for (;;) {
      call.signal.throwIfAborted()
      const { userIds, isDone } = await transact(call.db, (tx) =>
        decideMore({ tx, world: call, tenant, cause: causeOfJob(call) }, appId, decision),
      )
      for (const userId of userIds) await forgetUser(call, userId)
      if (isDone) return
    }
  },
})

import { jobKind } from '#kernel/jobs.ts'
import { transact } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { delegationChanged, findDelegation } from '#rooms/identity/users/index.ts'
import { recheckTask } from './rechecking/recheck.ts'
import { listAssignedTasks } from './store.ts'

/** Assigns open steps to the right people when a delegation is created, begins, ends or is replaced. */
export const followDelegations = jobKind(delegationChanged, {
  title: 'Delegation starts or ends',
  retry: { firstMs: 1_000, maxMs: 300_000, attemptsMax: 50 },
  limitPerTenant: 2,
  afterUnknown: 'retry',
  attemptMs: 300_000,
  async handle(call) {
    const { userId, others } = call.job.payload
    const delegation = await findDelegation(call.db, call.tenant.id, userId)
    const everyone = new Set([userId, ...others, ...(delegation ? [delegation.delegatedUserId] : [])])
    for (const each of everyone)
      for (const taskId of await listAssignedTasks(call.db, call.tenant.id, each)) await recheckTask(call, taskId)
    await transact(call.db, async (tx) => {
      const times = [delegation?.startAt, delegation?.expirationAt]
      const next = times.flatMap((at) => (at && at > call.now() ? [at] : [])).toSorted((a, b) => +a - +b)[0]
      // At most one job waits per user; whenever it runs, it checks everything again.
      if (next)
        await enqueue(tx, call, serviceCause(call.tenant, delegationChanged.kind), delegationChanged, {
          payload: { userId, others: [] },
          subject: { type: 'user', id: userId },
          key: userId,
          runAt: next,
        })
      await call.finishIn(tx)
    })
  },
})

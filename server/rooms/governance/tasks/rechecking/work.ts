import { type JobCall, jobKind } from '#kernel/jobs.ts'
import { slot } from '#kernel/memory.ts'
import { forEachTenant } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { findTenant } from '#rooms/foundation/tenants/index.ts'
import { recordsChanged } from '#rooms/identity/users/index.ts'
import { recheckTask } from './recheck.ts'
import { listLeftBehind, listOpen, listTenantsWithOpen } from './store.ts'

const pageSize = 100

/** At once after people or records changed: what they leave behind is assigned anew, or cancelled. */
export const recheckLeftBehind = jobKind(recordsChanged, {
  title: 'Assign open tasks to others after people or records changed',
  retry: { firstMs: 1_000, maxMs: 300_000, attemptsMax: 50 },
  limitPerTenant: 1,
  afterUnknown: 'retry',
  attemptMs: 600_000,
  async handle(call: JobCall<{ userIds?: readonly string[] }>) {
    const { userIds = [] } = call.job.payload
    for (let after = ''; ; ) {
      const ids = await listLeftBehind(call.db, call.tenant.id, { userIds, after, limit: pageSize })
      for (const id of ids) {
        call.signal.throwIfAborted()
        await recheckTask(call, id)
      }
      if (ids.length < pageSize) return
      after = ids.at(-1) as string
    }
  },
})

/** How many open tasks of each tenant are looked at in one go. */
const batchSize = 20
const positions = slot(() => new Map<number, string>())

/**
 * Looks at all open tasks, a few at a time and then from the first again: for changes that no job tells of, as that a group was
 * emptied, an owner left or a delegation ended. Until then the same is found out when somebody decides.
 */
export async function recheckOpenTasks(world: World): Promise<void> {
  const at = world.memory(positions)
  await forEachTenant(await listTenantsWithOpen(world.db), async (tenantId) => {
    const tenant = await findTenant(world.db, tenantId)
    if (!tenant) return
    const ids = await listOpen(world.db, tenantId, at.get(tenantId) ?? '', batchSize)
    for (const id of ids) await recheckTask({ ...world, tenant }, id)
    if (ids.length < batchSize) at.delete(tenantId)
    else at.set(tenantId, ids.at(-1) as string)
  })
}

import { type JobCall, jobKind } from '#kernel/jobs.ts'
import { slot } from '#kernel/memory.ts'
import { forEachTenant } from '#kernel/tenants-with.ts'
import type { Again } from '#kernel/wakes.ts'
import type { World } from '#kernel/world.ts'
import { findTenant } from '#rooms/foundation/tenants/index.ts'
import { recordsChanged } from '#rooms/identity/users/index.ts'
import { recheckTask } from './recheck.ts'
import { countOpen, listLeftBehind, listOpen, listTenantsWithOpen } from './store.ts'

const pageSize = 100

/** Run right after people or records changed: affected tasks are assigned again, or cancelled. */
export const recheckLeftBehind = jobKind(recordsChanged, {
  title: 'Reassignment of open tasks',
  retry: { firstMs: 1_000, maxMs: 300_000, attemptsMax: 50 },
  limitPerTenant: 1,
  afterUnknown: 'retry',
  attemptMs: 600_000,
  async handle(call: JobCall<{ userIds?: readonly string[] }>) {
    const { userIds = [] } = call.job.payload
    const failures: unknown[] = []
    for (let after = ''; ; ) {
      const ids = await listLeftBehind(call.db, call.tenant.id, { userIds, after, limit: pageSize })
      for (const id of ids) {
        call.signal.throwIfAborted()
        // A task that cannot be checked does not hold up the others.
        await recheckTask(call, id).catch((error: unknown) => failures.push(error))
      }
      if (ids.length < pageSize) break
      after = ids.at(-1) as string
    }
    if (failures.length > 0) throw failures[0]
  },
})

/** How many open tasks of each tenant are checked per run, at least. */
const batchSize = 20
/** In how many runs all of them are checked, if the time allows: five minutes, with one run every ten seconds. */
const goes = 30
/**
 * How long one run lasts. At 4 ms per task, 100,000 open tasks take five and a half hours; they took 14 with 20 in each run.
 */
const goMs = 200
type Round = { after: string; perGo: number }
const rounds = slot(() => new Map<number, Round>())

/**
 * Checks all open tasks, a few at a time and then from the first again: for changes that enqueue no job, for example that a
 * group was emptied, an owner left or a delegation ended. Until then the same is detected when someone decides.
 */
export async function recheckOpenTasks(world: World): Promise<Again | void> {
  const all = world.memory(rounds)
  await forEachTenant(await listTenantsWithOpen(world.db), async (tenantId) => {
    const tenant = await findTenant(world.db, tenantId)
    if (!tenant) return
    const begun = performance.now()
    const { after, perGo } = all.get(tenantId) ?? {
      after: '',
      perGo: Math.max(batchSize, Math.ceil((await countOpen(world.db, tenantId)) / goes)),
    }
    const ids = await listOpen(world.db, tenantId, after, perGo)
    let looked = 0
    try {
      for (const id of ids) {
        if (looked >= batchSize && performance.now() - begun > goMs) break
        looked++
        await recheckTask({ ...world, tenant }, id)
      }
    } finally {
      // Also past one that cannot be checked: otherwise every run would end with it, and the others would never be checked.
      if (looked < perGo && looked === ids.length) all.delete(tenantId)
      else all.set(tenantId, { after: ids[looked - 1] as string, perGo })
    }
  })
  // A round that has begun is completed.
  if (all.size > 0) return 'again'
}

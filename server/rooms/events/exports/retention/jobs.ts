import { type JobCall, JobFailed, type JobKind, jobKind } from '#kernel/jobs.ts'
import { transact } from '#kernel/sql.ts'
import { forEachTenant } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { findTenant } from '#rooms/foundation/tenants/index.ts'
import { TargetFailed } from '../targets/target.ts'
import { retentionDue } from '../work/names.ts'
import { planRetention } from './plan.ts'
import { NotRemovable, removeOld } from './remove.ts'
import { listTenantsWithFiles } from './store.ts'

/**
 * Finds tenants with events that may be removed from the database, and enqueues jobs that remove them. Run by the engine.
 */
export async function startRetention(world: World): Promise<void> {
  if (world.settings.systemlogRetentionDays === undefined) return
  await forEachTenant(await listTenantsWithFiles(world.db), async (tenantId) => {
    const tenant = await findTenant(world.db, tenantId)
    if (!tenant || (await planRetention(world, tenant)).removable === 0) return
    const job = { payload: {}, subject: { type: 'system log', id: tenant.publicId }, key: 'retention' }
    await transact(world.db, (tx) => enqueue(tx, world, serviceCause(tenant, 'start retention'), retentionDue, job))
  })
}

/** Removes archived events. If something prevents that, the job reports it to operators and is retried. */
export const removeOldEvents: JobKind = jobKind(retentionDue, {
  title: 'Retention of the system log',
  retry: { firstMs: 60_000, maxMs: 3_600_000, attemptsMax: 20 },
  limitPerTenant: 1,
  afterUnknown: 'retry',
  attemptMs: 10 * 60_000,
  async handle(call: JobCall) {
    try {
      await removeOld(call)
    } catch (error) {
      if (!(error instanceof NotRemovable || error instanceof TargetFailed)) throw error
      call.log.error({ tenantId: call.tenant.id, reason: error.message }, 'archived events could not be removed')
      throw new JobFailed(error.message)
    }
  },
})

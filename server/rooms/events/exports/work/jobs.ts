import { type JobCall, type JobKind, jobKind } from '#kernel/jobs.ts'
import { transact } from '#kernel/sql.ts'
import { forEachTenant } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { sealTenant, serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { findTenant } from '#rooms/foundation/tenants/index.ts'
import { datasourcesOf } from '../datasources/read.ts'
import { waitAfterMs } from '../decide.ts'
import type { Exporter } from '../exporter.ts'
import { endAttempt, findExporter, listDue, listTenantsWithDue, setExporting } from '../store.ts'
import { TargetFailed } from '../targets/target.ts'
import { exportNext } from './export.ts'
import { exportDue, exportJob } from './names.ts'

/** After this time another job continues, so that others get their turn. */
const workMs = 60_000

/** Finds exports that are due, and enqueues a job for each. Run by the engine. */
export async function startExports(world: World): Promise<void> {
  const at = world.now()
  await forEachTenant(await listTenantsWithDue(world.db, at), async (tenantId) => {
    const tenant = await findTenant(world.db, tenantId)
    const due = tenant ? await listDue(world.db, tenantId, at) : []
    if (!tenant || due.length === 0) return
    const jobs = due.map(({ id }) => exportJob(id))
    await transact(world.db, (tx) => enqueue(tx, world, serviceCause(tenant, 'start exports'), exportDue, ...jobs))
  })
}

/**
 * Exports new events to one target. A failure is written to the export, whose waiting time increases: the job itself ends,
 * and does not hold up other exports.
 */
export const exportEvents: JobKind = jobKind(exportDue, {
  title: 'Export of the system log',
  retry: { firstMs: 5_000, maxMs: 300_000, attemptsMax: 50 },
  limitPerTenant: 4,
  afterUnknown: 'retry',
  attemptMs: 10 * 60_000,
  async handle(call) {
    const { exportId } = call.job.payload
    const exporter = await findExporter(call.db, call.tenant.id, exportId)
    if (!exporter || exporter.nextRunAt > call.now()) return
    await setExporting(call.db, call.tenant.id, exportId)
    try {
      await exportAll(call, exporter)
    } catch (error) {
      // The server is stopping: another process continues with the file that was begun.
      if (call.signal.aborted) throw error
      await noteFailure(call, exporter, error)
    }
  },
})

async function exportAll(call: JobCall, { id, datasourceId, failures, nextRunAt }: Exporter): Promise<void> {
  // So that the export includes everything acknowledged before it began. If sealing fails, that is reported elsewhere.
  await sealTenant(call, call.tenant.id).catch(() => 0)
  const until = performance.now() + workMs
  let isMore = true
  while (isMore && performance.now() < until) {
    call.signal.throwIfAborted()
    isMore = await exportNext(call, id)
  }
  if (failures > 0) call.log.info({ tenantId: call.tenant.id, exportId: id }, 'an export of the system log works again')
  const pauseMs = isMore ? 0 : (datasourcesOf(call).get(datasourceId)?.everySeconds ?? 0) * 1000
  await endAttempt(call.db, call.tenant.id, id, nextRunAt, {
    state: isMore ? 'exporting' : 'waiting',
    error: '',
    failures: 0,
    nextRunAt: new Date(call.now().getTime() + pauseMs),
  })
}

async function noteFailure(call: JobCall, { id, failures, nextRunAt }: Exporter, error: unknown): Promise<void> {
  const isTold = error instanceof TargetFailed
  const logged = { tenantId: call.tenant.id, exportId: id, reason: (error as Error).message }
  if (!isTold) call.log.error({ ...logged, err: error }, 'an export of the system log failed')
  else if (failures === 0) call.log.warn(logged, 'an export of the system log failed; it will be retried')
  const waitMs = Math.max(waitAfterMs(failures + 1), isTold ? error.afterMs : 0)
  await endAttempt(call.db, call.tenant.id, id, nextRunAt, {
    state: 'error',
    error: isTold ? error.message : 'Unexpected error; the server log has the details. It will be retried.',
    failures: failures + 1,
    nextRunAt: new Date(call.now().getTime() + waitMs),
  })
}

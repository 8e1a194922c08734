import { transact } from '#kernel/sql.ts'
import { forEachTenant } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { findTenant } from '#rooms/foundation/tenants/index.ts'
import { connectorCause } from '../cause.ts'
import { listReady } from '../tasks/store.ts'
import { scimSyncDue, scimTasksDue } from './names.ts'
import { listTenantsWithSyncs, listTenantsWithTasks, listWaiting } from './store.ts'

/**
 * Finds the connectors of this server with pending work, and starts jobs for it. It looks at the current state: whatever
 * made a sync due or placed a task need not know who runs the connector. Run by the engine.
 */
export async function startScimWork(world: World): Promise<void> {
  const at = world.now()
  const tenants = new Set([...(await listTenantsWithSyncs(world.db, at)), ...(await listTenantsWithTasks(world.db))])
  await forEachTenant([...tenants], (tenantId) => startOfTenant(world, tenantId, at))
}

async function startOfTenant(world: World, tenantId: number, at: Date): Promise<void> {
  const tenant = await findTenant(world.db, tenantId)
  if (!tenant) return
  for (const { id, displayName, isSyncDue, hasTasks } of await listWaiting(world.db, tenantId, at)) {
    // Not for tasks that wait for others, such as one of unknown outcome.
    const isReady = hasTasks && (await listReady(world.db, tenantId, id, 1)).length > 0
    if (!isSyncDue && !isReady) continue
    const cause = connectorCause(tenant, { displayName }, 'start work of connectors')
    const job = { payload: { connectorId: id }, subject: { type: 'connector', id }, key: id }
    await transact(world.db, async (tx) => {
      if (isSyncDue) await enqueue(tx, world, cause, scimSyncDue, job)
      if (isReady) await enqueue(tx, world, cause, scimTasksDue, job)
    })
  }
}

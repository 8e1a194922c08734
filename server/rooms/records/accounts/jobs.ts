import { jobName } from '#kernel/jobs.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import type { Cause } from '#rooms/foundation/systemlog/index.ts'

/** Enqueued when accounts changed from which users may be created. One job covers all apps of a tenant. */
export const accountsChanged = jobName('accounts.changed')

/** Starts the job that creates users from accounts, if any app of the tenant is such a directory. */
export async function enqueueAccountsChanged(tx: Tx, world: World, cause: Cause): Promise<void> {
  if (await hasDirectories(tx, cause.tenant.id))
    await enqueue(tx, world, cause, accountsChanged, { payload: {}, key: 'all' })
}

async function hasDirectories(db: Reads, tenantId: number): Promise<boolean> {
  const rows = await db`
    select 1 from directories where tenant_id = ${tenantId} and kind = 'app' and deleted_at is null limit 1`
  return rows.length > 0
}

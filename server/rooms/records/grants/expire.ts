import type { Tenancy } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type Cause, change, record } from '#rooms/foundation/systemlog/index.ts'
import { listTenants } from '#rooms/foundation/tenants/index.ts'
import { type ExpiredGrant, endExpired, listTenantsWithExpired } from './store/change.ts'

const batchSize = 500

const engineCause = (tenant: Tenancy): Cause => ({
  tenant,
  actor: { userId: '', name: 'Bailiwick', email: '', credentialId: '', tokenId: '' },
  operation: 'expire grants',
  requestId: '',
  sourceAddress: '127.0.0.1',
})

const expiry = (cause: Cause, { id, appId, entitlementId, accountId, source, expiresAt }: ExpiredGrant) =>
  change(cause, 'delete', `A grant of ${entitlementId} was over`, [
    { type: 'grant', id, data: { appId, entitlementId, accountId, source, expiresAt } },
  ])

/** Takes back what was given for a time, when its time is up. */
export async function expireGrants(world: World): Promise<void> {
  const due = await listTenantsWithExpired(world.db, world.now())
  if (due.length === 0) return
  const tenants = await listTenants(world.db)
  for (const tenant of tenants.filter(({ id }) => due.includes(id))) await expireGrantsOf(world, tenant)
}

async function expireGrantsOf(world: World, tenant: Tenancy): Promise<void> {
  const cause = engineCause(tenant)
  for (let count = batchSize; count === batchSize; )
    count = await transact(world.db, async (tx) => {
      const expired = await endExpired(tx, tenant.id, world.now(), batchSize)
      if (expired.length > 0) await record(tx, world, cause, ...expired.map((grant) => expiry(cause, grant)))
      return expired.length
    })
}

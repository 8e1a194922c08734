import type { Tenancy } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type Cause, change, record } from '#rooms/foundation/systemlog/index.ts'
import { listTenants } from '#rooms/foundation/tenants/index.ts'
import { type ExpiredGrant, endExpired } from './store/change.ts'

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
  for (let count = batchSize; count === batchSize; )
    count = await transact(world.db, async (tx) => {
      const expired = await endExpired(tx, world.now(), batchSize)
      if (expired.length === 0) return 0
      const tenants = await listTenants(tx)
      for (const tenant of tenants) {
        const cause = engineCause(tenant)
        const events = expired.filter(({ tenantId }) => tenantId === tenant.id).map((grant) => expiry(cause, grant))
        if (events.length > 0) await record(tx, world, cause, ...events)
      }
      return expired.length
    })
}

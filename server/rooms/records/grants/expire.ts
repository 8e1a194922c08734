import type { Tenancy } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { inTurns } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { type Cause, change, record, serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { findTenant } from '#rooms/foundation/tenants/index.ts'
import { type ExpiredGrant, endExpired, listTenantsWithExpired, lockExpired } from './store/change.ts'

// One batch is processed without a pause, and other work waits that long.
const batchSize = 200

const expiry = (
  cause: Cause,
  { id, appId, entitlementId, entitlementName, accountId, source, expiresAt }: ExpiredGrant,
) =>
  change(cause, 'delete', `A grant of ${entitlementName || entitlementId} expired`, [
    { type: 'grant', id, data: { appId, entitlementId, accountId, source, expiresAt } },
  ])

/**
 * Ends what requests granted, each with a task that reports it. The room of tasks does this, of which this one knows
 * nothing.
 */
export type EndRequested = (tx: Tx, world: World, tenant: Tenancy, due: readonly ExpiredGrant[]) => Promise<void>

/**
 * How long one tick works: if very many grants end at once, the pause until the next tick would otherwise be half of the
 * time.
 */
const forMs = 3_000

/** Revokes grants that have expired, a batch of each tenant in turn. */
export async function expireGrants(world: World, endRequested: EndRequested): Promise<void> {
  const work = async (tenantId: number): Promise<boolean> => {
    const tenant = await findTenant(world.db, tenantId)
    return tenant !== null && (await expireSome(world, tenant, endRequested)) === batchSize
  }
  await inTurns(await listTenantsWithExpired(world.db, world.now()), work, forMs)
}

const expireSome = (world: World, tenant: Tenancy, endRequested: EndRequested): Promise<number> =>
  transact(world.db, async (tx) => {
    const due = await lockExpired(tx, tenant.id, world.now(), batchSize)
    const others = due.filter(({ source }) => source !== 'request')
    await endExpired(tx, tenant.id, others)
    const cause = serviceCause(tenant, 'expire grants')
    if (others.length > 0) await record(tx, world, cause, ...others.map((grant) => expiry(cause, grant)))
    if (due.length > others.length)
      await endRequested(
        tx,
        world,
        tenant,
        due.filter(({ source }) => source === 'request'),
      )
    return due.length
  })

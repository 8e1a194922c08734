import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import type { GoneOwner } from '#rooms/foundation/ownership/index.ts'
import { type Cause, change, record } from '#rooms/foundation/systemlog/index.ts'
import { allDisabled, recordsChanged } from '#rooms/identity/users/index.ts'

const touchedPerEvent = 100
const eventsPerStatement = 100

/** Records the removed ownerships, in the transaction of the deletion, and starts the work that depends on them. */
export async function recordOwnersGone(tx: Tx, world: World, cause: Cause, gone: readonly GoneOwner[]): Promise<void> {
  const touched = gone.map(({ id, kind, appId, objectId, roleSlug, userId, entitlementAppId, entitlementId }) => ({
    type: 'owner',
    id,
    data: {
      change: 'removed',
      [kind]: objectId,
      ...(appId !== '' && kind !== 'app' && { appId }),
      roleSlug,
      ...(userId ? { userId } : { owningAppId: entitlementAppId, owningEntitlementId: entitlementId }),
    },
  }))
  const events = Array.from({ length: Math.ceil(touched.length / touchedPerEvent) }, (_, i) =>
    change(
      cause,
      'delete',
      'Removed ownerships of deleted objects',
      touched.slice(i * touchedPerEvent, (i + 1) * touchedPerEvent),
    ),
  )
  for (let from = 0; from < events.length; from += eventsPerStatement)
    await record(tx, world, cause, ...events.slice(from, from + eventsPerStatement))
  // Requests may be about what was deleted.
  await enqueue(tx, world, cause, recordsChanged, allDisabled)
}

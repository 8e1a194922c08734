import type { Reads, Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { type Cause, change, record } from '#rooms/foundation/systemlog/index.ts'
import { allDisabled, recordsChanged } from '#rooms/identity/users/index.ts'

/** An owner that went, because what was owned was deleted, or who owned it. */
export type GoneOwner = {
  id: string
  kind: string
  appId: string
  objectId: string
  roleSlug: string
  userId: string | null
  entitlementAppId: string | null
  entitlementId: string | null
}

/** Of `owners o`. Owners are a room further down; a room that deletes things ends what must not outlive them. */
export const goneOwnerColumns = (db: Reads) => db`
  o.owner_id as id, o.kind, o.app_id as "appId", o.object_id as "objectId", o.role_slug as "roleSlug",
  o.user_id as "userId", o.entitlement_app_id as "entitlementAppId", o.entitlement_id as "entitlementId"`

const touchedPerEvent = 100
const eventsPerStatement = 100

/** Tells who owns what no longer, in the transaction of the deletion. */
export async function tellOwnersGone(tx: Tx, world: World, cause: Cause, gone: readonly GoneOwner[]): Promise<void> {
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

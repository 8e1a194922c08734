import { standingTo } from '#authority/may.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Actor, Route, Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import { asOwner } from '#rooms/governance/owners/index.ts'
import { actorLater } from '#rooms/identity/tokens/index.ts'
import type { Change } from './change.ts'

type Doing = World & { tenant: Tenancy }

/**
 * The author of a change, with their present permissions, limited by the credential that they used, if any. Refuses if they
 * could no longer make the request.
 */
export async function authorOf(doing: Doing, change: Change, route: Route): Promise<Actor> {
  const actor = await actorLater(doing, change)
  const standing = standingTo(actor, route)
  const admitted = standing.asOwner
    ? await asOwner(doing, { tenant: doing.tenant, actor, route, path: change.path })
    : actor
  if (!(admitted instanceof Refusal) && standingTo(admitted, route).asCaller) return admitted
  if (standing.asCaller) return actor
  throw new Refusal('PERMISSION_DENIED', `The author of the change no longer has the permission ${route.allow}.`)
}

import { asOwnerOfIt, seesOthers } from '#authority/may.ts'
import { idPattern } from '#kernel/ids.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { About, Actor, Route, Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import { ownsPrincipal, principalNotFound } from '#rooms/identity/principals/index.ts'
import { accountNotFound } from '#rooms/records/accounts/index.ts'
import { appNotFound, entitlementNotFound, resourceNotFound, resourceTypeNotFound } from '#rooms/records/apps/index.ts'
import { connectorNotFound } from '#rooms/records/connectors/index.ts'
import { type Named, standing } from './decide.ts'
import { findOwnedLevels } from './store/owned.ts'

export type Claim = { tenant: Tenancy; actor: Actor; route: Route; path: Record<string, string> }

/**
 * The caller, with their permissions as the owner of the objects of the request; or a refusal, if they are not an owner.
 * Checked for every request: a user who is disabled, or no longer holds the entitlement, owns nothing from then on.
 */
export async function asOwner(world: World, { tenant, actor, route, path }: Claim): Promise<Actor | Refusal> {
  for (const about of route.about) {
    if (about['user'] !== undefined) {
      const id = path[about['user']] ?? ''
      if (idPattern.test(id) && (await ownsPrincipal({ ...world, tenant, actor }, id))) continue
      return seesOthers(actor, route) ? denied(route) : principalNotFound(id)
    }
    const named = namedIn(about, path)
    const owned = isKey(named)
      ? await findOwnedLevels(world.db, tenant.id, actor.userId, named, world.now())
      : new Set<never>()
    const is = standing(named, owned, route.fromAbove)
    if (is === 'owner') continue
    const isSeen = is === 'seen' || seesOthers(actor, route)
    return isSeen ? denied(route) : unseen(named)
  }
  return asOwnerOfIt(actor)
}

const namedIn = (about: About, path: Record<string, string>): Named =>
  Object.fromEntries(Object.entries(about).map(([part, parameter]) => [part, path[parameter]])) as Named

// An invalid id belongs to no object, and may contain characters that PostgreSQL's text cannot store.
const isKey = (named: Named): boolean => Object.values(named).every((id) => idPattern.test(id))

const denied = ({ allowOwners, fromAbove }: Route): Refusal =>
  new Refusal(
    'PERMISSION_DENIED',
    `This needs the permission ${allowOwners}, or to own ${fromAbove ? 'what it lies in' : 'it'}.`,
    { metadata: { permission: allowOwners } },
  )

/** The same whether the object exists or not: callers who do not own it must not find out. */
function unseen({ app, entitlement, resourceType, resource, account, connector }: Named): Refusal {
  if (connector !== undefined) return connectorNotFound(connector)
  if (entitlement !== undefined) return entitlementNotFound(app, entitlement)
  if (account !== undefined) return accountNotFound({ appId: app, id: account })
  if (resourceType === undefined) return appNotFound(app)
  return resource === undefined
    ? resourceTypeNotFound(app, resourceType)
    : resourceNotFound(app, resourceType, resource)
}

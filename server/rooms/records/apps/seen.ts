import { may, mayEverywhere, type Plain, permissionFor } from '#authority/may.ts'
import { isOfApp, type Place, sightOf } from '#authority/sight/index.ts'
import { invalid, type Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { appNotFound, entitlementNotFound, resourceNotFound, resourceTypeNotFound } from './refuse.ts'

type Named = { app: string; entitlement?: string; resourceType?: string; resource?: string }

/**
 * Refuses what the caller may not see everywhere, and does not see because they own or hold it, or something in it: with the
 * same refusal whether it exists or not. Callers who were admitted as owners have the permission here.
 */
export async function refuseUnseen(call: Call, action: Plain, named: Named): Promise<void> {
  if (may(call.actor, action)) return
  if (!(await isSeen(call, named))) throw notThere(named)
}

async function isSeen(call: Call, { app, entitlement, resourceType, resource }: Named): Promise<boolean> {
  const sight = sightOf(call, call.db)
  if (entitlement !== undefined) return (await sight.entitlements([{ appId: app, id: entitlement }])).size > 0
  if (resourceType !== undefined)
    return (await sight.resources([{ appId: app, typeId: resourceType, id: resource ?? '' }])).size > 0
  return (await sight.apps([app])).seen.has(app)
}

function notThere({ app, entitlement, resourceType, resource }: Named): Refusal {
  if (entitlement !== undefined) return entitlementNotFound(app, entitlement)
  if (resourceType === undefined) return appNotFound(app)
  return resource === undefined
    ? resourceTypeNotFound(app, resourceType)
    : resourceNotFound(app, resourceType, resource)
}

/** What a search is limited to: null where it is not. */
export const placesSearched = async (call: Call, action: Plain): Promise<readonly Place[] | null> =>
  mayEverywhere(call.actor, action) ? null : (await sightOf(call, call.db).places()).filter(isOfApp)

/** Refuses filters by who holds something: they would show a caller what others hold. */
export function refuseFilters(call: Call, action: Plain, filters: Record<string, boolean>): void {
  if (mayEverywhere(call.actor, action)) return
  const [first, ...others] = Object.entries(filters)
    .filter(([, isSet]) => isSet)
    .map(([field]) => ({ field, description: `cannot be used without the permission ${permissionFor(action)}` }))
  if (first) throw invalid(first, ...others)
}

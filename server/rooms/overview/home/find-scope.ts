import { may, mayWithOwned } from '#authority/may.ts'
import { type Place, sightOf } from '#authority/sight/index.ts'
import type { Actor, Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import type { Scope, ScopeOf } from './scope.ts'
import { listEntitlementsOn } from './scope-store.ts'

type Owned = Exclude<Scope, 'all'>

/**
 * What a caller sees, by the permission that the same things require elsewhere: everything with the permission itself, what
 * they own if their roles grant owners that permission, and otherwise nothing. What they own is read once, and only for
 * owners.
 */
export async function scopeOf(call: Call, db: Reads): Promise<ScopeOf> {
  const owned = isOwnerOnly(call.actor) ? await findOwned(call, db) : null
  return (action) => {
    if (may(call.actor, action)) return 'all'
    return owned && mayWithOwned(call.actor, action) ? owned : null
  }
}

const isOwnerOnly = (actor: Actor): boolean => mayWithOwned(actor, 'grants.read') && !may(actor, 'grants.read')

async function findOwned(call: Call, db: Reads): Promise<Owned | null> {
  const places = await sightOf(call, db).places()
  const ofKind = (kind: Place['kind']): Place[] => places.filter((each) => each.kind === kind)
  const [resources, connectors] = [ofKind('resource'), ofKind('connector')]
  const onResources = resources.length === 0 ? [] : await listEntitlementsOn(db, call.tenant.id, resources)
  const owned: Owned = {
    apps: ofKind('app').map(({ appId }) => appId),
    entitlements: [...ofKind('entitlement').map(({ appId, id }) => ({ appId, id })), ...onResources],
    connectors: connectors.map(({ appId, id }) => ({ appId, id })),
  }
  const isSome = owned.apps.length + owned.entitlements.length + owned.connectors.length > 0
  return isSome ? owned : null
}

import type { ObjectRef } from '#rooms/foundation/ownership/index.ts'
import type { HoldingRef } from '#rooms/records/grants/index.ts'
import type { EntitlementRef } from './actions.ts'

/** How items of each kind look on the wire, and which app they belong to. */
export const ofGrants = {
  onWire: ({ appId, entitlementId, accountId }: HoldingRef) => ({
    appId,
    appEntitlementId: entitlementId,
    appUserId: accountId,
  }),
  appOf: ({ appId }: HoldingRef) => appId,
}
export const ofUsers = { onWire: (id: string) => ({ id }), appOf: () => '' }
export const ofObjects = {
  onWire: ({ appId, id }: ObjectRef) => ({ appId, id }),
  appOf: ({ appId }: ObjectRef) => appId,
}
export const ofEntitlements = {
  onWire: ({ appId, id }: EntitlementRef) => ({ appId, id }),
  appOf: ({ appId }: EntitlementRef) => appId,
}

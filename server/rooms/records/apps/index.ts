export { keepApp, refuseUnknownApp } from './app-actions.ts'
export { findAppsUncounted } from './app-store.ts'
export { AppMessage, appAsNeighbour } from './app-view.ts'
export { keepEntitlement } from './entitlement-actions.ts'
export { findEntitlementsUncounted } from './entitlement-store.ts'
export { EntitlementMessage, EntitlementView, entitlementAsNeighbour } from './entitlement-view.ts'
export type { FirstOwners, MadeObject } from './naming.ts'
export { presentEntitlements } from './neighbours.ts'
export { type GoneOwner, goneOwnerColumns, tellOwnersGone } from './owners-gone.ts'
export { refuseBeyondReach } from './reach.ts'
export { purposes } from './records.ts'
export { appNotFound, entitlementNotFound, resourceNotFound, resourceTypeNotFound } from './refuse.ts'
export { ResourceTypeMessage } from './resource-type-view.ts'
export { ResourceMessage } from './resource-view.ts'
export { appsRoutes } from './routes.ts'
export { byHolding, refuseUnseen } from './seen.ts'
export {
  insertApps,
  insertEntitlements,
  insertResources,
  insertResourceTypes,
  type NewApp,
  type NewEntitlement,
  type NewResource,
  type NewResourceType,
} from './store.ts'

export { removeMember, restateExpiry } from './actions.ts'
export { momentOf } from './as-of.ts'
export { type EndRequested, expireGrants } from './expire.ts'
export type { GrantSource, HoldingRef, Moment } from './grant.ts'
export { presentEntitlementsOf, presentOwnBindings, viewHoldings } from './present.ts'
export { grantRoutes } from './routes.ts'
export { type AccessChange, deleteChangesGiven, insertSettled, noteSince, takeChanges } from './store/access-changes.ts'
export {
  type ExpiredGrant,
  endExpired,
  endForRestating,
  endGrants,
  findNextExpiry,
  lockExpired,
  openGrants,
} from './store/change.ts'
export { endGrantsOfAccounts, endGrantsOfEntitlements } from './store/gone.ts'
export { held, listHoldingUsers } from './store/held.ts'
export { listHolders } from './store/holders.ts'
export { deleteSources, insertSources } from './store/told-sources.ts'
export { insertGrants, type NewGrant } from './store.ts'
export { AppEntitlementUserBinding, AppEntitlementUserView } from './view.ts'

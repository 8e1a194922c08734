export { keepApp, refuseUnknownApp, setWithoutConnector } from './app/actions.ts'
export { findAppsUncounted } from './app/store.ts'
export { AppMessage, appAsNeighbour } from './app/view.ts'
export { entitlementsAround } from './around.ts'
export { ensureEnrollment, ensureProfilesApp, renameEnrollment } from './built-in/profiles-app.ts'
export { durationProblem } from './decide.ts'
export { accessGone, type GoneInApp, requestTermsGone } from './deletion/hooks.ts'
export { recordOwnersGone } from './deletion/owners-gone.ts'
export { changeEntitlement, keepEntitlement, removeEntitlementWithAll } from './entitlements/actions.ts'
export { renameEntitlement, setIsDirectory } from './entitlements/by-directories.ts'
export {
  isAutomatic,
  type ManualAssignee,
  type ProvisionPolicy,
  ProvisionPolicyMessage,
} from './entitlements/provision.ts'
export { findEntitlementsUncounted } from './entitlements/store.ts'
export { clearValue } from './entitlements/values.ts'
export {
  EntitlementMessage,
  EntitlementView,
  entitlementAsNeighbour,
  entitlementOnWire,
  entitlementParts,
} from './entitlements/view.ts'
export { EntitlementRef, type FirstOwners, type MadeObject, mayNameOwners, type NameOwners } from './naming.ts'
export { presentEntitlements } from './neighbours.ts'
export { mayDelegate, type NamedPolicy, type PolicyChecks, PolicyRef } from './policy-fields.ts'
export { deleteProxiesOf } from './proxies/store.ts'
export { purposes, type WithoutConnector } from './records.ts'
export {
  appNotFound,
  entitlementNotFound,
  refuseBuiltInApp,
  resourceNotFound,
  resourceTypeNotFound,
} from './refuse.ts'
export { ResourceTypeMessage } from './resource-types/view.ts'
export { removeResource } from './resources/actions.ts'
export { ResourceMessage } from './resources/view.ts'
export { appsRoutes } from './routes.ts'
export { refuseUnseen } from './seen.ts'
export { annotationsShape } from './shapes.ts'
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

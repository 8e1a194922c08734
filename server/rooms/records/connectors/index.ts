export { createConnector } from './connector/actions.ts'
export type { ConnectorOwners } from './connector/owners.ts'
export { findLivingConnectors } from './connector/store.ts'
export { rotateCredential } from './credentials/actions.ts'
export { listAppConnectors } from './enforcement/connectors.ts'
export type { AppConnector } from './enforcement/judge.ts'
export { type ConnectorStory, foundConnectors, type SyncStory } from './founding/create.ts'
export { carrierOf } from './provisioning/carrier.ts'
export { provisioningEnded } from './provisioning/names.ts'
export { carryToConnectors } from './provisioning/reconcile.ts'
export {
  deleteAccountsOf,
  findProgress,
  type Outcome,
  type PreparedRequest,
  placeRequest,
  prepareRequest,
  type RequestAsked,
  releaseRequest,
  takeOutcome,
} from './provisioning/requests.ts'
export { connectorNotFound } from './refuse.ts'
export { connectorRoutes } from './routes.ts'
export { changeScimApps } from './scim/carrying/jobs.ts'
export { startScimWork } from './scim/due.ts'
export { readScimApps } from './scim/reading/jobs.ts'
export { findNextScimWork } from './scim/store.ts'
export { batonService } from './service/baton.ts'
export { mergeSyncs } from './syncs/jobs.ts'
export { appSynced } from './syncs/names.ts'
export { findNextLapse } from './tasks/store.ts'
export { endLapsedLeases } from './work/actions.ts'

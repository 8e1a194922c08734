export { createConnector } from './connector/actions.ts'
export { rotateCredential } from './credentials/actions.ts'
export { provisioningEnded } from './provisioning/names.ts'
export { carryToConnectors } from './provisioning/reconcile.ts'
export {
  deleteAccountsOf,
  findCarrier,
  findProgress,
  type Outcome,
  provisionRequest,
  type Requested,
  releaseRequest,
  takeOutcome,
} from './provisioning/requests.ts'
export { connectorRoutes } from './routes.ts'
export { batonService } from './service/baton.ts'
export { mergeSyncs } from './syncs/jobs.ts'
export { endLapsedLeases } from './work/actions.ts'

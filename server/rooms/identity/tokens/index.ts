export { forgetExpired } from './access-token.ts'
export { authenticate, refusalOf } from './authenticate.ts'
export { actorLater, authoredBy } from './author.ts'
export {
  authenticateConnector,
  type ConnectorCaller,
  connectorCredentialMac,
  connectorSuffix,
  requireConnectorClient,
} from './connector-clients.ts'
export { insertConnectorCredential, lockConnectorCredentials, revokeConnectorCredential } from './connector-store.ts'
export { deleteForgottenRequests } from './devices/store.ts'
export type { DpopAsked } from './dpop/check.ts'
export type { Exchange, Exchanged } from './exchange.ts'
export { tokenRoutes } from './routes.ts'
export { signer } from './signer.ts'
export { deleteExpiredAssertions } from './store.ts'

import { connectorOperations } from './connector/routes.ts'
import { connectorCredentialRoutes } from './credentials/routes.ts'

export const connectorRoutes = [...connectorOperations, ...connectorCredentialRoutes]

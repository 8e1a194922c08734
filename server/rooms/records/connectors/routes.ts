import { connectorOperations } from './connector/routes.ts'
import { connectorCredentialRoutes } from './credentials/routes.ts'

import { provisioningRoutes } from './provisioning/routes.ts'

export const connectorRoutes = [...connectorOperations, ...connectorCredentialRoutes, ...provisioningRoutes]

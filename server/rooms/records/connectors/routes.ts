import type { Route } from '#kernel/routes.ts'
import { catalogRoutes } from './catalog/routes.ts'
import type { ConnectorOwners } from './connector/owners.ts'
import { creatingRoutes } from './connector/routes/creating.ts'
import { runningRoutes } from './connector/routes/running.ts'
import { updatingRoutes } from './connector/routes/updating.ts'
import { connectorCredentialRoutes } from './credentials/routes.ts'
import { connectorOverviewRoutes } from './overview/routes.ts'
import { provisioningRoutes } from './provisioning/routes.ts'
import { scimRoutes } from './scim/routes.ts'
import { syncRoutes } from './syncs/routes.ts'

export const connectorRoutes = (owners: ConnectorOwners): readonly Route[] => [
  ...creatingRoutes(owners),
  ...runningRoutes(owners),
  ...updatingRoutes(owners),
  ...connectorCredentialRoutes,
  ...syncRoutes,
  ...catalogRoutes,
  ...connectorOverviewRoutes,
  ...provisioningRoutes,
  ...scimRoutes,
]

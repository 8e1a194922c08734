import type { Route } from '#kernel/routes.ts'
import { catalogRoutes } from './catalog/routes.ts'
import type { ConnectorOwners } from './connector/owners.ts'
import { connectorCredentialRoutes } from './credentials/routes.ts'
import { creatingRoutes } from './lifecycle/routes/creating.ts'
import { runningRoutes } from './lifecycle/routes/running.ts'
import { settingsRoutes } from './lifecycle/routes/settings.ts'
import { updatingRoutes } from './lifecycle/routes/updating.ts'
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
  ...settingsRoutes,
  ...connectorOverviewRoutes,
  ...provisioningRoutes,
  ...scimRoutes,
]

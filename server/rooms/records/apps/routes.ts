import type { Route } from '#kernel/routes.ts'
import { appRoutes } from './app-routes.ts'
import { entitlementRoutes } from './entitlement-routes.ts'
import { entitlementSearchRoutes } from './entitlement-search-routes.ts'
import type { NameOwners } from './naming.ts'
import { proxyRoutes } from './proxy-routes.ts'
import { resourceRoutes } from './resource-routes.ts'
import { resourceTypeRoutes } from './resource-type-routes.ts'
import { usageControlsRoutes } from './usage-controls-routes.ts'

/** Everything about apps, and what is in them. */
export const appsRoutes = (nameOwners: NameOwners): readonly Route[] => [
  ...appRoutes(nameOwners),
  ...usageControlsRoutes,
  ...resourceTypeRoutes,
  ...resourceRoutes(nameOwners),
  ...entitlementRoutes(nameOwners),
  ...entitlementSearchRoutes,
  ...proxyRoutes,
]

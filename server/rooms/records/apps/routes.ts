import type { Route } from '#kernel/routes.ts'
import { appRoutes } from './app/routes.ts'
import { entitlementRoutes } from './entitlements/routes.ts'
import { entitlementSearchRoutes } from './entitlements/search/routes.ts'
import type { NameOwners } from './naming.ts'
import type { PolicyChecks } from './policy-fields.ts'
import { proxyRoutes } from './proxies/routes.ts'
import { resourceTypeRoutes } from './resource-types/routes.ts'
import { resourceRoutes } from './resources/routes.ts'
import { usageControlsRoutes } from './usage-controls/routes.ts'

/** Everything about apps, and what is in them. */
export const appsRoutes = (nameOwners: NameOwners, checks: PolicyChecks): readonly Route[] => [
  ...appRoutes(nameOwners, checks),
  ...usageControlsRoutes,
  ...resourceTypeRoutes,
  ...resourceRoutes(nameOwners),
  ...entitlementRoutes(nameOwners, checks),
  ...entitlementSearchRoutes,
  ...proxyRoutes,
]

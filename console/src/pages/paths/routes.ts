import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const pathRoutes = [
  createRoute({
    ...parent,
    path: '/users/$userId/paths',
    component: lazyRouteComponent(() => import('./user-paths.tsx'), 'UserPaths'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/entitlements/$entitlementId/paths',
    component: lazyRouteComponent(() => import('./entitlement-paths.tsx'), 'EntitlementPaths'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/resources/$resourceTypeId/$resourceId/paths',
    component: lazyRouteComponent(() => import('./resource-paths.tsx'), 'ResourcePaths'),
  }),
] as const

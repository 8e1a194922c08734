import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const pathRoutes = [
  createRoute({
    ...parent,
    path: '/users/$userId/paths',
    staticData: { anyOf: ['users.read'], past: 'whole', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./user-paths.tsx'), 'UserPaths'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/entitlements/$entitlementId/paths',
    staticData: { anyOf: ['users.read'], past: 'whole', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./entitlement-paths.tsx'), 'EntitlementPaths'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/resources/$resourceTypeId/$resourceId/paths',
    staticData: { anyOf: ['apps.read'], isForOwners: true, past: 'whole', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./resource-paths.tsx'), 'ResourcePaths'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const resourceRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/apps/$appId/resources/$resourceTypeId/$resourceId',
    staticData: { anyOf: ['apps.read'], isForOwners: true, isOfOneThing: true },
    component: lazyRouteComponent(() => import('./resource-entitlements.tsx'), 'ResourceEntitlements'),
  }),
] as const

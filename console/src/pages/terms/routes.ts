import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const termRoutes = [
  createRoute({
    ...parent,
    path: '/apps/$appId/requests',
    staticData: { anyOf: ['policies.read'], isForOwners: true, isOfOneThing: true },
    component: lazyRouteComponent(() => import('./app-requests.tsx'), 'AppRequests'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/entitlements/$entitlementId/requests',
    staticData: { anyOf: ['policies.read'], isForOwners: true, isOfOneThing: true },
    component: lazyRouteComponent(() => import('./entitlement-requests.tsx'), 'EntitlementRequests'),
  }),
] as const

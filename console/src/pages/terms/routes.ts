import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const termRoutes = [
  createRoute({
    ...parent,
    path: '/apps/$appId/requests',
    component: lazyRouteComponent(() => import('./app-requests.tsx'), 'AppRequests'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/entitlements/$entitlementId/requests',
    component: lazyRouteComponent(() => import('./entitlement-requests.tsx'), 'EntitlementRequests'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const changeRoutes = [
  createRoute({
    ...parent,
    path: '/changes',
    component: lazyRouteComponent(() => import('./tenant-changes.tsx'), 'TenantChanges'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/changes',
    component: lazyRouteComponent(() => import('./user-changes.tsx'), 'UserChanges'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/changes',
    component: lazyRouteComponent(() => import('./app-changes.tsx'), 'AppChanges'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/entitlements/$entitlementId/changes',
    component: lazyRouteComponent(() => import('./entitlement-changes.tsx'), 'EntitlementChanges'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/heat-map',
    component: lazyRouteComponent(() => import('./heat-map.tsx'), 'HeatMap'),
  }),
] as const

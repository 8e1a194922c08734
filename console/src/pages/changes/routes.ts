import { IconGitCompare } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const changeRoutes = [
  createRoute({
    ...parent,
    path: '/changes',
    staticData: {
      title: 'Changes',
      anyOf: ['grants.read'],
      past: 'compared',
      navigation: { group: 'Access', position: 10, icon: IconGitCompare },
    },
    component: lazyRouteComponent(() => import('./tenant-changes.tsx'), 'TenantChanges'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/changes',
    staticData: { anyOf: ['users.read'], past: 'compared', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./user-changes.tsx'), 'UserChanges'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/changes',
    staticData: { anyOf: ['grants.read'], isForOwners: true, past: 'compared', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./app-changes.tsx'), 'AppChanges'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/entitlements/$entitlementId/changes',
    staticData: { anyOf: ['grants.read'], isForOwners: true, past: 'compared', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./entitlement-changes.tsx'), 'EntitlementChanges'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/heat-map',
    staticData: { anyOf: ['grants.read'], isForOwners: true, past: 'whole', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./heat-map.tsx'), 'HeatMap'),
  }),
] as const

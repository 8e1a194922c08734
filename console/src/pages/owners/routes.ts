import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const ownerRoutes = [
  createRoute({ ...parent, path: '/owned', component: lazyRouteComponent(() => import('./own.tsx'), 'Own') }),
  createRoute({
    ...parent,
    path: '/apps/$appId/owners',
    component: lazyRouteComponent(() => import('./app-owners.tsx'), 'AppOwners'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/entitlements/$entitlementId/owners',
    component: lazyRouteComponent(() => import('./entitlement-owners.tsx'), 'EntitlementOwners'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/resources/$resourceTypeId/$resourceId/owners',
    component: lazyRouteComponent(() => import('./resource-owners.tsx'), 'ResourceOwners'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/accounts/$accountId/owners',
    component: lazyRouteComponent(() => import('./account-owners.tsx'), 'AccountOwners'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/owners',
    component: lazyRouteComponent(() => import('./user-owners.tsx'), 'UserOwners'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/owned',
    component: lazyRouteComponent(() => import('./user-owned.tsx'), 'UserOwned'),
  }),
] as const

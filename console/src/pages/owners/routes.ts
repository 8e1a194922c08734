import { IconUserStar } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const ownerRoutes = [
  createRoute({
    ...parent,
    path: '/owned',
    staticData: {
      title: 'What you own',
      anyOf: ['owners.own.read'],
      past: 'whole',
      navigation: { group: 'You', position: 2, icon: IconUserStar },
    },
    component: lazyRouteComponent(() => import('./own.tsx'), 'Own'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/owners',
    staticData: { past: 'whole', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./app-owners.tsx'), 'AppOwners'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/entitlements/$entitlementId/owners',
    staticData: { past: 'whole', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./entitlement-owners.tsx'), 'EntitlementOwners'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/resources/$resourceTypeId/$resourceId/owners',
    staticData: { anyOf: ['apps.read'], isForOwners: true, past: 'whole', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./resource-owners.tsx'), 'ResourceOwners'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/accounts/$accountId/owners',
    staticData: { anyOf: ['owners.read'], isForOwners: true, past: 'whole', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./account-owners.tsx'), 'AccountOwners'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/owners',
    staticData: { anyOf: ['users.read'], past: 'whole', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./user-owners.tsx'), 'UserOwners'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/owned',
    staticData: { anyOf: ['users.read'], past: 'whole', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./user-owned.tsx'), 'UserOwned'),
  }),
] as const

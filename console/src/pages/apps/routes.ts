import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const appRoutes = [
  createRoute({ ...parent, path: '/apps', component: lazyRouteComponent(() => import('./apps.tsx'), 'Apps') }),
  createRoute({
    ...parent,
    path: '/apps/$appId',
    component: lazyRouteComponent(() => import('./app-entitlements.tsx'), 'AppEntitlements'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/resources',
    component: lazyRouteComponent(() => import('./app-resources.tsx'), 'AppResources'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/accounts',
    component: lazyRouteComponent(() => import('./app-accounts.tsx'), 'AppAccounts'),
  }),
] as const

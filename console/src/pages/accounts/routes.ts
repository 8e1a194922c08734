import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const accountRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/apps/$appId/accounts/$accountId',
    staticData: { past: 'whole', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./account-access.tsx'), 'AccountAccess'),
  }),
] as const

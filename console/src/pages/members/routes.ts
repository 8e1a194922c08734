import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const memberRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/apps/$appId/entitlements/$entitlementId',
    staticData: { past: 'whole', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./members.tsx'), 'Members'),
  }),
] as const

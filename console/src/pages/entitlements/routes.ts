import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const entitlementRoutes = [
  createRoute({
    ...parent,
    path: '/apps/$appId/entitlements/$entitlementId/history',
    staticData: { anyOf: ['grants.read'], isForOwners: true, past: 'whole', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./history.tsx'), 'History'),
  }),
] as const

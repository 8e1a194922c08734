import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const entitlementRoutes = [
  createRoute({
    ...parent,
    path: '/apps/$appId/entitlements/$entitlementId/history',
    component: lazyRouteComponent(() => import('./history.tsx'), 'History'),
  }),
] as const

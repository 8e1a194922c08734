import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const driftRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/drift',
    component: lazyRouteComponent(() => import('./drift.tsx'), 'DriftPage'),
  }),
] as const

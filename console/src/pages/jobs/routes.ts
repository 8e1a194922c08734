import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const jobRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/jobs',
    component: lazyRouteComponent(() => import('./jobs.tsx'), 'Jobs'),
  }),
] as const

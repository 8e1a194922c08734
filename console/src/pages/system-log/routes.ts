import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const systemLogRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/log',
    component: lazyRouteComponent(() => import('./system-log.tsx'), 'SystemLog'),
  }),
] as const

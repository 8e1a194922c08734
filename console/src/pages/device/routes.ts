import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const deviceRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/device',
    component: lazyRouteComponent(() => import('./device.tsx'), 'Device'),
  }),
] as const

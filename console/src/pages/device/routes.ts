import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const deviceRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/device',
    staticData: { title: 'Authorize a device' },
    component: lazyRouteComponent(() => import('./device.tsx'), 'Device'),
  }),
] as const

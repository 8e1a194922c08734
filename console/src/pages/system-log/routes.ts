import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const systemLogRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/log',
    component: lazyRouteComponent(() => import('./system-log.tsx'), 'SystemLog'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/log/events/$eventId',
    component: lazyRouteComponent(() => import('./event-page.tsx'), 'Event'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/log/exports',
    component: lazyRouteComponent(() => import('./exports/exports.tsx'), 'Exports'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/log/exports/$exportId',
    component: lazyRouteComponent(() => import('./exports/export.tsx'), 'Export'),
  }),
] as const

import { IconListDetails } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const systemLogRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/log',
    staticData: {
      title: 'System log',
      anyOf: ['systemlog.read'],
      navigation: { group: 'Records', position: 4, icon: IconListDetails, key: 'l', attention: ['EXPORTS_FAILING'] },
    },
    component: lazyRouteComponent(() => import('./system-log.tsx'), 'SystemLog'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/log/events/$eventId',
    staticData: { anyOf: ['systemlog.read'] },
    component: lazyRouteComponent(() => import('./event-page.tsx'), 'Event'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/log/exports',
    staticData: { title: 'Exports', anyOf: ['exports.read'] },
    component: lazyRouteComponent(() => import('./exports/exports.tsx'), 'Exports'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/log/exports/$exportId',
    staticData: { anyOf: ['exports.read'] },
    component: lazyRouteComponent(() => import('./exports/export.tsx'), 'Export'),
  }),
] as const

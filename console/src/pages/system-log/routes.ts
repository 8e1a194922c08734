import { IconListDetails } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const systemLogRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/log',
    staticData: {
      title: 'System log',
      words: 'audit trail events history who did what verify evidence key',
      anyOf: ['systemlog.read'],
      navigation: {
        section: 'Activity',
        position: 1,
        views: { auditor: 2 },
        icon: IconListDetails,
        key: 'l',
        attention: ['EXPORTS_FAILING'],
      },
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
    staticData: {
      title: 'Exports',
      words: 'siem splunk s3 archive opentelemetry retention system log',
      anyOf: ['exports.read'],
      navigation: { section: 'Activity', position: 3, icon: IconListDetails },
    },
    component: lazyRouteComponent(() => import('./exports/exports.tsx'), 'Exports'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/log/exports/$exportId',
    staticData: { anyOf: ['exports.read'] },
    component: lazyRouteComponent(() => import('./exports/export.tsx'), 'Export'),
  }),
] as const

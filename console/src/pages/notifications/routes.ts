import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const notificationRoutes = [
  createRoute({
    ...parent,
    path: '/settings/notifications',
    staticData: { title: 'Your notifications', anyOf: ['notifications.own'] },
    component: lazyRouteComponent(() => import('./own-notifications.tsx'), 'OwnNotifications'),
  }),
  createRoute({
    ...parent,
    path: '/settings/organisation-notifications',
    staticData: { title: 'Email and chat', anyOf: ['notifications.read'] },
    component: lazyRouteComponent(() => import('./organisation-notifications.tsx'), 'OrganisationNotifications'),
  }),
  createRoute({
    ...parent,
    path: '/settings/notification-previews',
    staticData: { title: 'Email previews', anyOf: ['notifications.own'] },
    component: lazyRouteComponent(() => import('./previews.tsx'), 'Previews'),
  }),
] as const

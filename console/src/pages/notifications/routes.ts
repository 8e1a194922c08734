import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const notificationRoutes = [
  createRoute({
    ...parent,
    path: '/settings/notifications',
    component: lazyRouteComponent(() => import('./own-notifications.tsx'), 'OwnNotifications'),
  }),
  createRoute({
    ...parent,
    path: '/settings/organisation-notifications',
    component: lazyRouteComponent(() => import('./organisation-notifications.tsx'), 'OrganisationNotifications'),
  }),
  createRoute({
    ...parent,
    path: '/settings/notification-previews',
    component: lazyRouteComponent(() => import('./previews.tsx'), 'Previews'),
  }),
] as const

import { IconMail, IconSettings } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const notificationRoutes = [
  createRoute({
    ...parent,
    path: '/settings/notifications',
    staticData: {
      title: 'Your notifications',
      words: 'email slack teams digest reminders',
      anyOf: ['notifications.own'],
      navigation: {
        section: 'Settings',
        position: 1,
        ownPart: 'What you receive',
        icon: IconSettings,
        label: 'Notifications',
      },
    },
    component: lazyRouteComponent(() => import('./own-notifications.tsx'), 'OwnNotifications'),
  }),
  createRoute({
    ...parent,
    path: '/settings/organisation-notifications',
    staticData: {
      title: 'Email and chat',
      words: 'smtp mail server sender slack teams notifications of everyone',
      anyOf: ['notifications.read'],
      navigation: { section: 'Organization', position: 4, icon: IconMail },
    },
    component: lazyRouteComponent(() => import('./organisation-notifications.tsx'), 'OrganisationNotifications'),
  }),
  createRoute({
    ...parent,
    path: '/settings/notification-previews',
    staticData: {
      title: 'Email previews',
      words: 'what mails look like',
      anyOf: ['notifications.own'],
      navigation: { section: 'Settings', under: '/settings/notifications', icon: IconMail },
    },
    component: lazyRouteComponent(() => import('./previews.tsx'), 'Previews'),
  }),
] as const

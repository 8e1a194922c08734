import { IconPlus } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const requestRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/request',
    staticData: {
      title: 'Request access',
      anyOf: ['profiles.own.read'],
      navigation: { group: 'Requests', position: 2, icon: IconPlus, key: 'q' },
      commands: [{ label: 'Request access', icon: IconPlus }],
    },
    component: lazyRouteComponent(() => import('./request-page.tsx'), 'RequestPage'),
  }),
] as const

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
      navigation: { views: { employee: 2 }, icon: IconPlus, key: 'q' },
      commands: [{ label: 'Request access', icon: IconPlus, words: 'get need ask catalog new permission' }],
    },
    component: lazyRouteComponent(() => import('./request-page.tsx'), 'RequestPage'),
  }),
] as const

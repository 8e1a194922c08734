import { IconWorld } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const addressRoutes = [
  createRoute({
    ...parent,
    path: '/settings/address',
    staticData: {
      title: 'Address and HTTPS',
      anyOf: ['address.read'],
      words: 'host name domain url rename certificate tls https proxy address',
      navigation: { section: 'Organization', position: 1, label: 'Address', icon: IconWorld },
    },
    component: lazyRouteComponent(() => import('./address-page.tsx'), 'AddressPage'),
  }),
  createRoute({
    ...parent,
    path: '/settings/address/$host',
    staticData: { title: 'What uses an address', anyOf: ['address.read'] },
    component: lazyRouteComponent(() => import('./uses-page.tsx'), 'UsesPage'),
  }),
  createRoute({
    ...parent,
    path: '/move',
    staticData: { title: 'Continue at the current address' },
    component: lazyRouteComponent(() => import('./move.tsx'), 'Move'),
  }),
] as const

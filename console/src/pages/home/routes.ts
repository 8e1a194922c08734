import { IconHome } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const homeRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/',
    staticData: {
      title: 'Home',
      navigation: { group: 'Requests', position: 1, icon: IconHome, isExact: true, key: 'h' },
    },
    component: lazyRouteComponent(() => import('./home.tsx'), 'Home'),
  }),
] as const

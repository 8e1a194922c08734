import { IconHome } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const homeRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/',
    staticData: {
      title: 'Home',
      words: 'start overview dashboard attention numbers setup',
      navigation: {
        views: { employee: 1, owner: 1, administrator: 1, auditor: 1 },
        icon: IconHome,
        isExact: true,
        key: 'h',
      },
    },
    component: lazyRouteComponent(() => import('./home.tsx'), 'Home'),
  }),
] as const

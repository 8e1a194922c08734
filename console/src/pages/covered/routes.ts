import { IconPlugConnected } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const coverageRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/coverage',
    staticData: {
      title: 'Coverage',
      words: 'enforcement connected manual records only apps',
      anyOf: ['apps.read'],
      navigation: { section: 'Apps', position: 5, icon: IconPlugConnected },
    },
    component: lazyRouteComponent(() => import('./coverage.tsx'), 'CoveragePage'),
  }),
] as const

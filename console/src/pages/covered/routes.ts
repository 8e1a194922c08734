import { IconPlugConnected } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const coverageRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/coverage',
    staticData: {
      title: 'Coverage',
      anyOf: ['apps.read'],
      commands: [{ label: 'Coverage', icon: IconPlugConnected, words: 'enforcement connected records only apps' }],
    },
    component: lazyRouteComponent(() => import('./coverage.tsx'), 'CoveragePage'),
  }),
] as const

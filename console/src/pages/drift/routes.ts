import { IconArrowsDiff } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const driftRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/drift',
    staticData: {
      title: 'Drift',
      anyOf: ['grants.read'],
      navigation: { group: 'Access', position: 8, icon: IconArrowsDiff, attention: ['DRIFT'] },
    },
    component: lazyRouteComponent(() => import('./drift.tsx'), 'DriftPage'),
  }),
] as const

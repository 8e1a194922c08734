import { IconArrowsDiff } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const driftRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/drift',
    staticData: {
      title: 'Drift',
      words: 'differences reconcile out of sync changed in the app',
      anyOf: ['grants.read'],
      navigation: { section: 'Apps', position: 4, icon: IconArrowsDiff, attention: ['DRIFT'] },
    },
    component: lazyRouteComponent(() => import('./drift.tsx'), 'DriftPage'),
  }),
] as const

import { IconChecklist } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

export const jobRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/jobs',
    staticData: {
      title: 'Jobs',
      anyOf: ['jobs.read'],
      navigation: { group: 'Records', position: 6, icon: IconChecklist, attention: ['JOBS_STUCK'] },
    },
    component: lazyRouteComponent(() => import('./jobs.tsx'), 'Jobs'),
  }),
] as const

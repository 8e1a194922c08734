import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const importRoutes = [
  createRoute({
    ...parent,
    path: '/imports',
    component: lazyRouteComponent(() => import('./imports.tsx'), 'Imports'),
  }),
  createRoute({
    ...parent,
    path: '/imports/$importId',
    component: lazyRouteComponent(() => import('./import.tsx'), 'OneImport'),
  }),
] as const

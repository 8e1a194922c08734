import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const directoryRoutes = [
  createRoute({
    ...parent,
    path: '/directories',
    component: lazyRouteComponent(() => import('./directories.tsx'), 'Directories'),
  }),
  createRoute({
    ...parent,
    path: '/directories/$appId',
    component: lazyRouteComponent(() => import('./directory.tsx'), 'OneDirectory'),
  }),
] as const

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
    path: '/directories/new',
    component: lazyRouteComponent(() => import('./new-directory.tsx'), 'NewDirectory'),
  }),
  createRoute({
    ...parent,
    path: '/directories/precedence',
    component: lazyRouteComponent(() => import('./precedence.tsx'), 'Precedence'),
  }),
  createRoute({
    ...parent,
    path: '/directories/$appId/edit',
    component: lazyRouteComponent(() => import('./edit-directory.tsx'), 'EditDirectory'),
  }),
  createRoute({
    ...parent,
    path: '/directories/$appId',
    component: lazyRouteComponent(() => import('./directory.tsx'), 'OneDirectory'),
  }),
] as const

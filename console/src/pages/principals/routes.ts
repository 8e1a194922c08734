import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const principalRoutes = [
  createRoute({
    ...parent,
    path: '/principals',
    component: lazyRouteComponent(() => import('./principals.tsx'), 'Principals'),
  }),
  createRoute({
    ...parent,
    path: '/principals/$principalId',
    component: lazyRouteComponent(() => import('./principal.tsx'), 'Principal'),
  }),
] as const

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
  createRoute({
    ...parent,
    path: '/principals/$principalId/trusts/$clientId',
    component: lazyRouteComponent(() => import('./trust.tsx'), 'Trust'),
  }),
  createRoute({
    ...parent,
    path: '/federation-providers',
    component: lazyRouteComponent(() => import('./providers.tsx'), 'Providers'),
  }),
] as const

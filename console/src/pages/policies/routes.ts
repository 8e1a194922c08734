import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }
const editor = lazyRouteComponent(() => import('./policy-page.tsx'), 'PolicyPage')

export const policyRoutes = [
  createRoute({
    ...parent,
    path: '/policies',
    component: lazyRouteComponent(() => import('./policies.tsx'), 'Policies'),
  }),
  createRoute({
    ...parent,
    path: '/policies/new',
    component: lazyRouteComponent(() => import('./policy-page.tsx'), 'NewPolicy'),
  }),
  createRoute({
    ...parent,
    path: '/policies/unanswerable',
    component: lazyRouteComponent(() => import('./unanswerable.tsx'), 'Unanswerable'),
  }),
  createRoute({ ...parent, path: '/policies/$policyId', component: editor }),
] as const

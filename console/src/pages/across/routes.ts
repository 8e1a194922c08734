import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const acrossRoutes = [
  createRoute({
    ...parent,
    path: '/entitlements',
    component: lazyRouteComponent(() => import('./entitlements.tsx'), 'Entitlements'),
  }),
  createRoute({
    ...parent,
    path: '/accounts',
    component: lazyRouteComponent(() => import('./accounts.tsx'), 'Accounts'),
  }),
  createRoute({ ...parent, path: '/grants', component: lazyRouteComponent(() => import('./grants.tsx'), 'Grants') }),
  createRoute({ ...parent, path: '/rules', component: lazyRouteComponent(() => import('./rules.tsx'), 'Rules') }),
  createRoute({
    ...parent,
    path: '/bulk-changes',
    component: lazyRouteComponent(() => import('./bulk-changes.tsx'), 'BulkChanges'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }
const base = '/apps/$appId/entitlements/$entitlementId'

export const automationRoutes = [
  createRoute({
    ...parent,
    path: `${base}/automation`,
    component: lazyRouteComponent(() => import('./automation.tsx'), 'Automation'),
  }),
  createRoute({
    ...parent,
    path: `${base}/exclusions`,
    component: lazyRouteComponent(() => import('./exclusions.tsx'), 'Exclusions'),
  }),
  createRoute({
    ...parent,
    path: `${base}/runs`,
    component: lazyRouteComponent(() => import('./runs.tsx'), 'Runs'),
  }),
  createRoute({
    ...parent,
    path: `${base}/versions`,
    component: lazyRouteComponent(() => import('./versions.tsx'), 'Versions'),
  }),
] as const

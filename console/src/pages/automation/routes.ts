import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }
const base = '/apps/$appId/entitlements/$entitlementId'

export const automationRoutes = [
  createRoute({
    ...parent,
    path: `${base}/automation`,
    staticData: { anyOf: ['automations.read'], isForOwners: true, isOfOneThing: true },
    component: lazyRouteComponent(() => import('./automation.tsx'), 'Automation'),
  }),
  createRoute({
    ...parent,
    path: `${base}/exclusions`,
    staticData: { anyOf: ['automations.read'], isForOwners: true, isOfOneThing: true },
    component: lazyRouteComponent(() => import('./exclusions.tsx'), 'Exclusions'),
  }),
  createRoute({
    ...parent,
    path: `${base}/runs`,
    staticData: { anyOf: ['automations.read'], isForOwners: true, isOfOneThing: true },
    component: lazyRouteComponent(() => import('./runs.tsx'), 'Runs'),
  }),
  createRoute({
    ...parent,
    path: `${base}/versions`,
    staticData: { anyOf: ['automations.read'], isForOwners: true, isOfOneThing: true },
    component: lazyRouteComponent(() => import('./versions.tsx'), 'Versions'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const subscriptionRoutes = [
  createRoute({
    ...parent,
    path: '/subscriptions',
    component: lazyRouteComponent(() => import('./subscriptions.tsx'), 'Subscriptions'),
  }),
  createRoute({
    ...parent,
    path: '/subscriptions/$subscriptionId',
    component: lazyRouteComponent(() => import('./subscription.tsx'), 'SubscriptionPage'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const webhookRoutes = [
  createRoute({
    ...parent,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('./webhooks.tsx'), 'Webhooks'),
  }),
  createRoute({
    ...parent,
    path: '/webhooks/$webhookId',
    component: lazyRouteComponent(() => import('./webhook.tsx'), 'WebhookPage'),
  }),
] as const

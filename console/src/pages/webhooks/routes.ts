import { IconWebhook } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const webhookRoutes = [
  createRoute({
    ...parent,
    path: '/webhooks',
    staticData: {
      title: 'Webhooks',
      anyOf: ['webhooks.read'],
      navigation: { group: 'Requests', position: 8, icon: IconWebhook, attention: ['WEBHOOKS_FAILING'] },
      commands: [
        { label: 'Create webhook', icon: IconWebhook, words: 'add new', permission: 'webhooks.write', hash: 'create' },
      ],
    },
    component: lazyRouteComponent(() => import('./webhooks.tsx'), 'Webhooks'),
  }),
  createRoute({
    ...parent,
    path: '/webhooks/$webhookId',
    staticData: { anyOf: ['webhooks.read'], isOfOneThing: true },
    component: lazyRouteComponent(() => import('./webhook.tsx'), 'WebhookPage'),
  }),
] as const

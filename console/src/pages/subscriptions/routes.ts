import { IconWebhook } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const subscriptionRoutes = [
  createRoute({
    ...parent,
    path: '/subscriptions',
    staticData: {
      title: 'Subscriptions',
      anyOf: ['subscriptions.read'],
      navigation: { group: 'Records', position: 5, icon: IconWebhook, attention: ['SUBSCRIPTIONS_FAILING'] },
      commands: [
        {
          label: 'Create subscription',
          icon: IconWebhook,
          words: 'add new events',
          permission: 'subscriptions.write',
          hash: 'create',
        },
      ],
    },
    component: lazyRouteComponent(() => import('./subscriptions.tsx'), 'Subscriptions'),
  }),
  createRoute({
    ...parent,
    path: '/subscriptions/$subscriptionId',
    staticData: { anyOf: ['subscriptions.read'], isOfOneThing: true },
    component: lazyRouteComponent(() => import('./subscription.tsx'), 'SubscriptionPage'),
  }),
] as const

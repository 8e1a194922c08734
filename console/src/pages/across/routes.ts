import { IconBolt, IconId, IconLockAccess, IconStack2, IconUserCheck } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const acrossRoutes = [
  createRoute({
    ...parent,
    path: '/entitlements',
    staticData: {
      title: 'Entitlements',
      anyOf: ['entitlements.read'],
      isForOwners: true,
      navigation: { group: 'Access', position: 2, icon: IconLockAccess, key: 'e' },
    },
    component: lazyRouteComponent(() => import('./entitlements.tsx'), 'Entitlements'),
  }),
  createRoute({
    ...parent,
    path: '/accounts',
    staticData: {
      title: 'Accounts',
      anyOf: ['accounts.read'],
      isForOwners: true,
      navigation: {
        group: 'Access',
        position: 4,
        icon: IconId,
        key: 'c',
        attention: ['ACCOUNTS_WITHOUT_OWNER'],
        attentionFor: 'accounts.read',
      },
    },
    component: lazyRouteComponent(() => import('./accounts.tsx'), 'Accounts'),
  }),
  createRoute({
    ...parent,
    path: '/grants',
    staticData: {
      title: 'Grants',
      anyOf: ['grants.read'],
      isForOwners: true,
      navigation: { group: 'Access', position: 5, icon: IconUserCheck, key: 'g' },
      commands: [
        {
          label: 'Grant access',
          icon: IconUserCheck,
          words: 'add member give',
          permission: 'grants.write',
          hash: 'create',
        },
      ],
    },
    component: lazyRouteComponent(() => import('./grants.tsx'), 'Grants'),
  }),
  createRoute({
    ...parent,
    path: '/rules',
    staticData: {
      title: 'Rules',
      anyOf: ['automations.read'],
      isForOwners: true,
      navigation: {
        group: 'Access',
        position: 6,
        icon: IconBolt,
        key: 'r',
        attention: ['RUNS_HELD', 'RULES_FAILING', 'RULES_PAUSED'],
      },
      commands: [
        {
          label: 'Create rule',
          icon: IconBolt,
          words: 'add new automation',
          permission: 'automations.write',
          hash: 'create',
        },
      ],
    },
    component: lazyRouteComponent(() => import('./rules.tsx'), 'Rules'),
  }),
  createRoute({
    ...parent,
    path: '/bulk-changes',
    staticData: {
      title: 'Bulk changes',
      anyOf: ['grants.read'],
      navigation: { group: 'Access', position: 9, icon: IconStack2 },
    },
    component: lazyRouteComponent(() => import('./bulk-changes.tsx'), 'BulkChanges'),
  }),
] as const

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
      words: 'rights groups roles permissions in apps',
      anyOf: ['entitlements.read'],
      isForOwners: true,
      navigation: { section: 'Access', position: 1, views: { owner: 4 }, icon: IconLockAccess, key: 'e' },
    },
    component: lazyRouteComponent(() => import('./entitlements.tsx'), 'Entitlements'),
  }),
  createRoute({
    ...parent,
    path: '/accounts',
    staticData: {
      title: 'Accounts',
      words: 'logins app users orphaned service',
      anyOf: ['accounts.read'],
      isForOwners: true,
      navigation: {
        section: 'Access',
        position: 3,
        views: { owner: 5 },
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
      words: 'who has what members access of everyone expiring evidence',
      anyOf: ['grants.read'],
      isForOwners: true,
      navigation: { section: 'Access', position: 2, views: { owner: 6 }, icon: IconUserCheck, key: 'g' },
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
      words: 'automation cel expression automatic access birthright',
      anyOf: ['automations.read'],
      isForOwners: true,
      navigation: {
        section: 'Access',
        position: 4,
        views: { owner: 7 },
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
      words: 'many at once mass undo',
      anyOf: ['grants.read'],
      navigation: { section: 'Access', position: 6, icon: IconStack2 },
    },
    component: lazyRouteComponent(() => import('./bulk-changes.tsx'), 'BulkChanges'),
  }),
] as const

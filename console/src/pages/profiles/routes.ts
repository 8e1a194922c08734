import { IconPackage } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const profileRoutes = [
  createRoute({
    ...parent,
    path: '/profiles',
    staticData: {
      title: 'Access profiles',
      anyOf: ['profiles.read'],
      navigation: { group: 'Requests', position: 6, icon: IconPackage },
      commands: [
        {
          label: 'Create access profile',
          icon: IconPackage,
          words: 'add new catalog',
          permission: 'profiles.write',
          hash: 'create',
        },
      ],
    },
    component: lazyRouteComponent(() => import('./profiles.tsx'), 'Profiles'),
  }),
  createRoute({
    ...parent,
    path: '/profiles/$profileId',
    staticData: { anyOf: ['profiles.read'], isOfOneThing: true },
    component: lazyRouteComponent(() => import('./profile-entries.tsx'), 'ProfileEntries'),
  }),
  createRoute({
    ...parent,
    path: '/profiles/$profileId/visibility',
    staticData: { anyOf: ['profiles.read'], isOfOneThing: true },
    component: lazyRouteComponent(() => import('./profile-visibility.tsx'), 'ProfileVisibility'),
  }),
  createRoute({
    ...parent,
    path: '/profiles/$profileId/automation',
    staticData: { anyOf: ['profiles.read'], isOfOneThing: true },
    component: lazyRouteComponent(() => import('./profile-automation.tsx'), 'ProfileAutomation'),
  }),
] as const

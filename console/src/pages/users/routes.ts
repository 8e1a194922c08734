import { IconKey, IconUserPlus, IconUsers } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

import { addingPermissions } from './words.ts'

const parent = { getParentRoute: () => shellRoute }

export const userRoutes = [
  createRoute({
    ...parent,
    path: '/me',
    staticData: {
      title: 'Your access',
      words: 'return end extend my access what do I have',
      anyOf: ['grants.own.read'],
      navigation: { views: { employee: 5 }, icon: IconKey },
    },
    beforeLoad({ context: { session } }) {
      redirect({ to: '/users/$userId', params: { userId: session.user?.id ?? '' }, throw: true })
    },
  }),
  createRoute({
    ...parent,
    path: '/users',
    staticData: {
      title: 'Users',
      words: 'people employees persons invite leavers offboarding joiners',
      anyOf: ['users.read'],
      navigation: { section: 'Users', position: 1, icon: IconUsers, key: 'u', attention: ['LEAVERS_WITH_ACCESS'] },
      commands: [
        {
          label: 'Add person',
          icon: IconUserPlus,
          words: 'new user employee create invite',
          permission: 'users.write',
          hash: 'add',
        },
      ],
    },
    component: lazyRouteComponent(() => import('./users.tsx'), 'Users'),
  }),
  createRoute({
    ...parent,
    path: '/users/add',
    staticData: {
      title: 'Add people',
      anyOf: addingPermissions,
      commands: [{ label: 'Add people', icon: IconUsers, words: 'connect a directory scim csv hr file upload' }],
    },
    component: lazyRouteComponent(() => import('./add-people.tsx'), 'AddPeople'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId',
    staticData: { anyOf: ['users.read'], past: 'whole', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./user-access.tsx'), 'UserAccess'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/timeline',
    staticData: { anyOf: ['users.read'], past: 'whole', isOfOneThing: true },
    component: lazyRouteComponent(() => import('./timeline/user-timeline.tsx'), 'UserTimeline'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/requests',
    staticData: { anyOf: ['users.read'], isOfOneThing: true },
    component: lazyRouteComponent(() => import('./user-requests.tsx'), 'UserRequests'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/roles',
    staticData: { anyOf: ['users.read'], isOfOneThing: true },
    component: lazyRouteComponent(() => import('./user-roles-page.tsx'), 'UserRolesPage'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/accounts',
    staticData: { anyOf: ['users.read'], isOfOneThing: true },
    component: lazyRouteComponent(() => import('./user-accounts.tsx'), 'UserAccounts'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/profile',
    staticData: { anyOf: ['users.read'], isOfOneThing: true },
    component: lazyRouteComponent(() => import('./user-profile.tsx'), 'UserProfile'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/leaving',
    staticData: { anyOf: ['users.read'], isOfOneThing: true },
    component: lazyRouteComponent(() => import('./user-leaving.tsx'), 'UserLeaving'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/sessions',
    staticData: { anyOf: ['users.read'], isOfOneThing: true },
    component: lazyRouteComponent(() => import('./user-sessions.tsx'), 'UserSessions'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/devices',
    staticData: { anyOf: ['users.read'], isOfOneThing: true },
    component: lazyRouteComponent(() => import('./user-devices.tsx'), 'UserDevices'),
  }),
] as const

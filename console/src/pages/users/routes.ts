import { IconKey, IconUsers } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const userRoutes = [
  createRoute({
    ...parent,
    path: '/me',
    staticData: {
      title: 'Your access',
      anyOf: ['grants.own.read'],
      navigation: { group: 'You', position: 1, icon: IconKey },
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
      anyOf: ['users.read'],
      navigation: { group: 'Access', position: 3, icon: IconUsers, key: 'u', attention: ['LEAVERS_WITH_ACCESS'] },
    },
    component: lazyRouteComponent(() => import('./users.tsx'), 'Users'),
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

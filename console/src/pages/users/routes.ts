import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const userRoutes = [
  createRoute({
    ...parent,
    path: '/me',
    beforeLoad({ context: { session } }) {
      redirect({ to: '/users/$userId', params: { userId: session.user?.id ?? '' }, throw: true })
    },
  }),
  createRoute({ ...parent, path: '/users', component: lazyRouteComponent(() => import('./users.tsx'), 'Users') }),
  createRoute({
    ...parent,
    path: '/users/$userId',
    component: lazyRouteComponent(() => import('./user-access.tsx'), 'UserAccess'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/timeline',
    component: lazyRouteComponent(() => import('./timeline/user-timeline.tsx'), 'UserTimeline'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/requests',
    component: lazyRouteComponent(() => import('./user-requests.tsx'), 'UserRequests'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/roles',
    component: lazyRouteComponent(() => import('./user-roles-page.tsx'), 'UserRolesPage'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/accounts',
    component: lazyRouteComponent(() => import('./user-accounts.tsx'), 'UserAccounts'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/profile',
    component: lazyRouteComponent(() => import('./user-profile.tsx'), 'UserProfile'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/leaving',
    component: lazyRouteComponent(() => import('./user-leaving.tsx'), 'UserLeaving'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/sessions',
    component: lazyRouteComponent(() => import('./user-sessions.tsx'), 'UserSessions'),
  }),
  createRoute({
    ...parent,
    path: '/users/$userId/devices',
    component: lazyRouteComponent(() => import('./user-devices.tsx'), 'UserDevices'),
  }),
] as const

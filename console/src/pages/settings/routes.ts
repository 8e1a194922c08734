import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const settingsRoutes = [
  createRoute({
    ...parent,
    path: '/settings',
    // Everyone who is signed in can have passkeys; not everyone has notifications.
    beforeLoad({ context: { session } }) {
      const has = session.permissions.includes('notifications.own')
      redirect({ throw: true, to: has ? '/settings/notifications' : '/settings/passkeys' })
    },
  }),
  createRoute({
    ...parent,
    path: '/settings/credentials',
    component: lazyRouteComponent(() => import('./credentials.tsx'), 'OwnCredentials'),
  }),
  createRoute({
    ...parent,
    path: '/settings/devices',
    component: lazyRouteComponent(() => import('./devices.tsx'), 'Devices'),
  }),
  createRoute({
    ...parent,
    path: '/settings/everyone',
    component: lazyRouteComponent(() => import('./everyones-credentials.tsx'), 'EveryonesCredentials'),
  }),
  createRoute({
    ...parent,
    path: '/settings/delegate',
    component: lazyRouteComponent(() => import('./delegate.tsx'), 'DelegatePage'),
  }),
  createRoute({
    ...parent,
    path: '/settings/four-eyes',
    component: lazyRouteComponent(() => import('./four-eyes.tsx'), 'FourEyesPage'),
  }),
  createRoute({
    ...parent,
    path: '/settings/passkeys',
    component: lazyRouteComponent(() => import('./passkeys.tsx'), 'Passkeys'),
  }),
  createRoute({
    ...parent,
    path: '/settings/requests',
    component: lazyRouteComponent(() => import('./requests.tsx'), 'RequestSettings'),
  }),
  createRoute({
    ...parent,
    path: '/settings/sessions',
    component: lazyRouteComponent(() => import('./sessions.tsx'), 'Sessions'),
  }),
  createRoute({
    ...parent,
    path: '/settings/single-sign-on',
    component: lazyRouteComponent(() => import('./single-sign-on.tsx'), 'SingleSignOn'),
  }),
  createRoute({
    ...parent,
    path: '/settings/sign-in',
    component: lazyRouteComponent(() => import('./sign-in-policy.tsx'), 'SignInPolicyPage'),
  }),
] as const

import { IconFingerprint, IconKey, IconMailForward, IconSettings } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const settingsRoutes = [
  createRoute({
    ...parent,
    path: '/settings',
    staticData: { title: 'Settings', navigation: { group: 'You', position: 3, icon: IconSettings, key: 's' } },
    // Everyone who is signed in can have passkeys; not everyone has notifications.
    beforeLoad({ context: { session } }) {
      const has = session.permissions.includes('notifications.own')
      redirect({ throw: true, to: has ? '/settings/notifications' : '/settings/passkeys' })
    },
  }),
  createRoute({
    ...parent,
    path: '/settings/credentials',
    staticData: {
      title: 'API credentials',
      anyOf: ['credentials.own.read'],
      commands: [{ label: 'Create API credential', icon: IconKey, words: 'add new token' }],
    },
    component: lazyRouteComponent(() => import('./credentials.tsx'), 'OwnCredentials'),
  }),
  createRoute({
    ...parent,
    path: '/settings/devices',
    staticData: { title: 'Authorized devices', anyOf: ['credentials.own.read'] },
    component: lazyRouteComponent(() => import('./devices.tsx'), 'Devices'),
  }),
  createRoute({
    ...parent,
    path: '/settings/everyone',
    staticData: { title: "Everyone's credentials", anyOf: ['credentials.read'] },
    component: lazyRouteComponent(() => import('./everyones-credentials.tsx'), 'EveryonesCredentials'),
  }),
  createRoute({
    ...parent,
    path: '/settings/delegate',
    staticData: { title: 'Delegate', anyOf: ['users.own.read'] },
    component: lazyRouteComponent(() => import('./delegate.tsx'), 'DelegatePage'),
  }),
  createRoute({
    ...parent,
    path: '/settings/four-eyes',
    staticData: { title: 'Four eyes', anyOf: ['four-eyes.read'] },
    component: lazyRouteComponent(() => import('./four-eyes.tsx'), 'FourEyesPage'),
  }),
  createRoute({
    ...parent,
    path: '/settings/passkeys',
    staticData: { title: 'Passkeys', commands: [{ label: 'Add passkey', icon: IconFingerprint, words: 'create new' }] },
    component: lazyRouteComponent(() => import('./passkeys.tsx'), 'Passkeys'),
  }),
  createRoute({
    ...parent,
    path: '/settings/requests',
    staticData: { title: 'Requests', anyOf: ['terms.read'] },
    component: lazyRouteComponent(() => import('./requests.tsx'), 'RequestSettings'),
  }),
  createRoute({
    ...parent,
    path: '/settings/sessions',
    staticData: { title: 'Sessions' },
    component: lazyRouteComponent(() => import('./sessions.tsx'), 'Sessions'),
  }),
  createRoute({
    ...parent,
    path: '/settings/single-sign-on',
    staticData: { title: 'Single sign-on' },
    component: lazyRouteComponent(() => import('./single-sign-on.tsx'), 'SingleSignOn'),
  }),
  createRoute({
    ...parent,
    path: '/settings/sign-in',
    staticData: {
      title: 'Sign-in',
      anyOf: ['sign-in.read'],
      commands: [
        {
          label: 'Invitations',
          icon: IconMailForward,
          words: 'invite people first sign-in link',
          permission: 'sign-in.read',
        },
      ],
    },
    component: lazyRouteComponent(() => import('./sign-in-policy.tsx'), 'SignInPolicyPage'),
  }),
] as const

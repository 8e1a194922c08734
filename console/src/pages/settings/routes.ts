import {
  IconDevices,
  IconEyeCheck,
  IconFingerprint,
  IconKey,
  IconLogin2,
  IconMailForward,
  IconSend,
  IconSettings,
  IconUserShare,
} from '@tabler/icons-react'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const settingsRoutes = [
  createRoute({
    ...parent,
    path: '/settings',
    staticData: {
      title: 'Settings',
      words: 'preferences profile account options',
      navigation: { icon: IconSettings, key: 's' },
    },
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
      words: 'token key secret client cone',
      anyOf: ['credentials.own.read'],
      navigation: { section: 'Settings', position: 6, icon: IconKey },
      commands: [{ label: 'Create API credential', icon: IconKey, words: 'add new token' }],
    },
    component: lazyRouteComponent(() => import('./credentials.tsx'), 'OwnCredentials'),
  }),
  createRoute({
    ...parent,
    path: '/settings/devices',
    staticData: {
      title: 'Authorized devices',
      words: 'command line cone login',
      anyOf: ['credentials.own.read'],
      navigation: { section: 'Settings', position: 7, icon: IconDevices, label: 'Devices' },
    },
    component: lazyRouteComponent(() => import('./devices.tsx'), 'Devices'),
  }),
  createRoute({
    ...parent,
    path: '/settings/everyone',
    staticData: {
      title: "Everyone's credentials",
      words: 'api tokens keys of others',
      anyOf: ['credentials.read'],
      navigation: { section: 'Organization', position: 7, icon: IconKey },
    },
    component: lazyRouteComponent(() => import('./everyones-credentials.tsx'), 'EveryonesCredentials'),
  }),
  createRoute({
    ...parent,
    path: '/settings/delegate',
    staticData: {
      title: 'Delegate',
      words: 'holiday vacation away absence out of office substitute deputy',
      anyOf: ['users.own.read'],
      navigation: { section: 'Settings', position: 2, icon: IconUserShare },
    },
    component: lazyRouteComponent(() => import('./delegate.tsx'), 'DelegatePage'),
  }),
  createRoute({
    ...parent,
    path: '/settings/four-eyes',
    staticData: {
      title: 'Four eyes',
      words: 'four-eyes dual control second person approval of changes',
      anyOf: ['four-eyes.read'],
      navigation: { section: 'Organization', position: 6, icon: IconEyeCheck },
    },
    component: lazyRouteComponent(() => import('./four-eyes.tsx'), 'FourEyesPage'),
  }),
  createRoute({
    ...parent,
    path: '/settings/passkeys',
    staticData: {
      title: 'Passkeys',
      words: 'fingerprint face pin security key webauthn password sign in',
      navigation: { section: 'Settings', position: 3, icon: IconFingerprint },
      commands: [{ label: 'Add passkey', icon: IconFingerprint, words: 'create new' }],
    },
    component: lazyRouteComponent(() => import('./passkeys.tsx'), 'Passkeys'),
  }),
  createRoute({
    ...parent,
    path: '/settings/requests',
    staticData: {
      title: 'Requests',
      words: 'defaults duration limits routing organization',
      anyOf: ['terms.read'],
      navigation: { section: 'Organization', position: 5, icon: IconSend },
    },
    component: lazyRouteComponent(() => import('./requests.tsx'), 'RequestSettings'),
  }),
  createRoute({
    ...parent,
    path: '/settings/sessions',
    staticData: {
      title: 'Sessions',
      words: 'signed in browsers sign out everywhere',
      navigation: { section: 'Settings', position: 5, icon: IconDevices },
    },
    component: lazyRouteComponent(() => import('./sessions.tsx'), 'Sessions'),
  }),
  createRoute({
    ...parent,
    path: '/settings/single-sign-on',
    staticData: {
      title: 'Single sign-on',
      words: 'sso oidc identity provider link',
      navigation: { section: 'Settings', position: 4, icon: IconLogin2, isForSingleSignOn: true },
    },
    component: lazyRouteComponent(() => import('./single-sign-on.tsx'), 'SingleSignOn'),
  }),
  createRoute({
    ...parent,
    path: '/settings/sign-in',
    staticData: {
      title: 'Sign-in',
      words:
        'invite invitations first link policy passkeys session length oidc provider providers sso entra okta google domain',
      navigation: { section: 'Organization', position: 2, icon: IconLogin2 },
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

import { IconApps } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

const toApp = (appId: string): void => {
  redirect({ to: '/apps/$appId', params: { appId }, replace: true, throw: true })
}

export const appRoutes = [
  createRoute({
    ...parent,
    path: '/apps',
    staticData: {
      title: 'Apps',
      anyOf: ['apps.read'],
      navigation: { group: 'Access', position: 1, icon: IconApps, key: 'a' },
      commands: [{ label: 'Create app', icon: IconApps, words: 'add new', permission: 'apps.write', hash: 'create' }],
    },
    component: lazyRouteComponent(() => import('./apps.tsx'), 'Apps'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId',
    staticData: { isOfOneThing: true },
    component: lazyRouteComponent(() => import('./app-entitlements.tsx'), 'AppEntitlements'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/resources',
    staticData: { anyOf: ['apps.read'], isForOwners: true, isOfOneThing: true },
    component: lazyRouteComponent(() => import('./app-resources.tsx'), 'AppResources'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/accounts',
    staticData: { anyOf: ['accounts.read'], isForOwners: true, isOfOneThing: true },
    component: lazyRouteComponent(() => import('./app-accounts.tsx'), 'AppAccounts'),
  }),
  // The addresses that `cone` prints.
  createRoute({ ...parent, path: '/applications/$appId', beforeLoad: ({ params }) => toApp(params.appId) }),
  createRoute({
    ...parent,
    path: '/applications/$appId/entitlements',
    beforeLoad: ({ params }) => toApp(params.appId),
  }),
] as const

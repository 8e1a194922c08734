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
      words: 'applications systems software saas',
      anyOf: ['apps.read'],
      navigation: { section: 'Apps', position: 1, icon: IconApps, key: 'a' },
      commands: [{ label: 'Create app', icon: IconApps, words: 'add new', permission: 'apps.write', hash: 'create' }],
    },
    component: lazyRouteComponent(() => import('./apps.tsx'), 'Apps'),
  }),
  createRoute({
    ...parent,
    path: '/apps/new',
    staticData: {
      title: 'Add an app',
      anyOf: ['apps.write', 'imports.write'],
      commands: [{ label: 'Add an app', icon: IconApps, words: 'connect first csv file members owners' }],
    },
    component: lazyRouteComponent(() => import('./new/new-app.tsx'), 'NewApp'),
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

import { IconRobot } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const principalRoutes = [
  createRoute({
    ...parent,
    path: '/principals',
    staticData: {
      title: 'Service principals',
      words: 'programs robots service accounts machine bots',
      navigation: { section: 'Users', position: 2, ownPart: 'All', icon: IconRobot, anyOf: ['principals.read'] },
      commands: [
        {
          label: 'Create service principal',
          icon: IconRobot,
          words: 'add new program',
          permission: 'principals.write',
          hash: 'create',
        },
      ],
    },
    component: lazyRouteComponent(() => import('./principals.tsx'), 'Principals'),
  }),
  createRoute({
    ...parent,
    path: '/principals/$principalId',
    staticData: { isOfOneThing: true },
    component: lazyRouteComponent(() => import('./principal.tsx'), 'Principal'),
  }),
  createRoute({
    ...parent,
    path: '/principals/$principalId/trusts/$clientId',
    staticData: { isOfOneThing: true },
    component: lazyRouteComponent(() => import('./trust.tsx'), 'Trust'),
  }),
  createRoute({
    ...parent,
    path: '/federation-providers',
    staticData: {
      title: 'Federation providers',
      words: 'github actions gitlab aws spiffe terraform workload oidc token',
      navigation: { section: 'Users', under: '/principals', icon: IconRobot, anyOf: ['principals.read'] },
    },
    component: lazyRouteComponent(() => import('./providers.tsx'), 'Providers'),
  }),
] as const

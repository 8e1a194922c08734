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
      navigation: { group: 'Access', position: 7, icon: IconRobot, anyOf: ['principals.read'] },
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
    staticData: { title: 'Federation providers' },
    component: lazyRouteComponent(() => import('./providers.tsx'), 'Providers'),
  }),
] as const

import { IconRoute } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }
const editor = lazyRouteComponent(() => import('./policy-page.tsx'), 'PolicyPage')

export const policyRoutes = [
  createRoute({
    ...parent,
    path: '/policies',
    staticData: {
      title: 'Policies',
      anyOf: ['policies.read'],
      navigation: { group: 'Requests', position: 7, icon: IconRoute, attention: ['ENTITLEMENTS_WITHOUT_APPROVER'] },
    },
    component: lazyRouteComponent(() => import('./policies.tsx'), 'Policies'),
  }),
  createRoute({
    ...parent,
    path: '/policies/new',
    staticData: {
      title: 'Create policy',
      anyOf: ['policies.read'],
      commands: [{ label: 'Create policy', icon: IconRoute, words: 'add new', permission: 'policies.write' }],
    },
    component: lazyRouteComponent(() => import('./policy-page.tsx'), 'NewPolicy'),
  }),
  createRoute({
    ...parent,
    path: '/policies/unanswerable',
    staticData: { title: 'Policies', anyOf: ['policies.read'] },
    component: lazyRouteComponent(() => import('./unanswerable.tsx'), 'Unanswerable'),
  }),
  createRoute({
    ...parent,
    path: '/policies/$policyId',
    staticData: { anyOf: ['policies.read'], isOfOneThing: true },
    component: editor,
  }),
] as const

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
      words: 'approval steps who approves manager escalation workflow',
      anyOf: ['policies.read'],
      navigation: {
        section: 'Policies',
        position: 1,
        ownPart: 'All policies',
        icon: IconRoute,
        attention: ['ENTITLEMENTS_WITHOUT_APPROVER'],
      },
    },
    component: lazyRouteComponent(() => import('./policies.tsx'), 'Policies'),
  }),
  createRoute({
    ...parent,
    path: '/policies/new',
    staticData: {
      title: 'Create policy',
      anyOf: ['policies.read'],
      commands: [{ label: 'Create policy', icon: IconRoute, words: 'add new approval', permission: 'policies.write' }],
    },
    component: lazyRouteComponent(() => import('./policy-page.tsx'), 'NewPolicy'),
  }),
  createRoute({
    ...parent,
    path: '/policies/unanswerable',
    staticData: {
      title: 'Policies',
      words: 'nobody can decide unanswerable without approver',
      anyOf: ['policies.read'],
      navigation: {
        section: 'Policies',
        under: '/policies',
        label: 'No approver',
        icon: IconRoute,
        attention: ['ENTITLEMENTS_WITHOUT_APPROVER'],
      },
    },
    component: lazyRouteComponent(() => import('./unanswerable.tsx'), 'Unanswerable'),
  }),
  createRoute({
    ...parent,
    path: '/policies/$policyId',
    staticData: { anyOf: ['policies.read'], isOfOneThing: true },
    component: editor,
  }),
] as const

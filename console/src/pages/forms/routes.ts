import { IconForms } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const formRoutes = [
  createRoute({
    ...parent,
    path: '/forms',
    staticData: {
      title: 'Forms',
      anyOf: ['forms.read'],
      navigation: { group: 'Requests', position: 9, icon: IconForms },
    },
    component: lazyRouteComponent(() => import('./forms.tsx'), 'Forms'),
  }),
  createRoute({
    ...parent,
    path: '/forms/new',
    staticData: {
      title: 'Create form',
      anyOf: ['forms.read'],
      commands: [{ label: 'Create form', icon: IconForms, words: 'add new', permission: 'forms.write' }],
    },
    component: lazyRouteComponent(() => import('./form-page.tsx'), 'NewForm'),
  }),
  createRoute({
    ...parent,
    path: '/forms/$formId',
    staticData: { anyOf: ['forms.read'], isOfOneThing: true },
    component: lazyRouteComponent(() => import('./form-page.tsx'), 'FormPage'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const formRoutes = [
  createRoute({ ...parent, path: '/forms', component: lazyRouteComponent(() => import('./forms.tsx'), 'Forms') }),
  createRoute({
    ...parent,
    path: '/forms/new',
    component: lazyRouteComponent(() => import('./form-page.tsx'), 'NewForm'),
  }),
  createRoute({
    ...parent,
    path: '/forms/$formId',
    component: lazyRouteComponent(() => import('./form-page.tsx'), 'FormPage'),
  }),
] as const

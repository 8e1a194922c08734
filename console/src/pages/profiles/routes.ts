import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const profileRoutes = [
  createRoute({
    ...parent,
    path: '/profiles',
    component: lazyRouteComponent(() => import('./profiles.tsx'), 'Profiles'),
  }),
  createRoute({
    ...parent,
    path: '/profiles/$profileId',
    component: lazyRouteComponent(() => import('./profile-entries.tsx'), 'ProfileEntries'),
  }),
  createRoute({
    ...parent,
    path: '/profiles/$profileId/visibility',
    component: lazyRouteComponent(() => import('./profile-visibility.tsx'), 'ProfileVisibility'),
  }),
  createRoute({
    ...parent,
    path: '/profiles/$profileId/automation',
    component: lazyRouteComponent(() => import('./profile-automation.tsx'), 'ProfileAutomation'),
  }),
] as const

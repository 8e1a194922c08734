import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const taskRoutes = [
  createRoute({ ...parent, path: '/decide', component: lazyRouteComponent(() => import('./inbox.tsx'), 'Inbox') }),
  createRoute({
    ...parent,
    path: '/requests',
    component: lazyRouteComponent(() => import('./my-requests.tsx'), 'MyRequests'),
  }),
  createRoute({
    ...parent,
    path: '/tasks',
    component: lazyRouteComponent(() => import('./all-tasks.tsx'), 'AllTasks'),
  }),
  createRoute({
    ...parent,
    path: '/tasks/$taskId',
    component: lazyRouteComponent(() => import('./task-page.tsx'), 'TaskPage'),
  }),
] as const

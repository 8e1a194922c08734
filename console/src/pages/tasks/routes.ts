import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
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
  // The address that `cone` prints: with the number of the task, which a task's page takes as well as its id.
  createRoute({
    ...parent,
    path: '/task/$taskId',
    beforeLoad: ({ params }) => {
      redirect({ to: '/tasks/$taskId', params, replace: true, throw: true })
    },
  }),
] as const

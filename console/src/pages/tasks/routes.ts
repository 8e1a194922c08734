import { IconChecks, IconSend, IconSubtask } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const taskRoutes = [
  createRoute({
    ...parent,
    path: '/decide',
    staticData: {
      title: 'Inbox',
      anyOf: ['tasks.own'],
      hasOwnKeys: true,
      navigation: {
        group: 'Requests',
        position: 3,
        icon: IconChecks,
        key: 'd',
        isWork: true,
        attention: ['DECISIONS_WAITING'],
      },
    },
    component: lazyRouteComponent(() => import('./inbox.tsx'), 'Inbox'),
  }),
  createRoute({
    ...parent,
    path: '/requests',
    staticData: {
      title: 'My requests',
      anyOf: ['tasks.own'],
      navigation: { group: 'Requests', position: 4, icon: IconSend },
    },
    component: lazyRouteComponent(() => import('./my-requests.tsx'), 'MyRequests'),
  }),
  createRoute({
    ...parent,
    path: '/tasks',
    staticData: {
      title: 'All tasks',
      anyOf: ['tasks.read'],
      navigation: {
        group: 'Requests',
        position: 5,
        icon: IconSubtask,
        key: 't',
        attention: ['TASKS_STUCK', 'REQUESTS_WAITING', 'CHANGES_WAITING'],
      },
    },
    component: lazyRouteComponent(() => import('./all-tasks.tsx'), 'AllTasks'),
  }),
  createRoute({
    ...parent,
    path: '/tasks/$taskId',
    staticData: { isOfOneThing: true },
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

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
      words: 'approve deny decide approvals decisions waiting',
      anyOf: ['tasks.own'],
      hasOwnKeys: true,
      navigation: {
        views: { employee: 3, owner: 2, administrator: 2 },
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
      words: 'status requested cancel sent',
      anyOf: ['tasks.own'],
      navigation: { views: { employee: 4 }, icon: IconSend },
    },
    component: lazyRouteComponent(() => import('./my-requests.tsx'), 'MyRequests'),
  }),
  createRoute({
    ...parent,
    path: '/tasks',
    staticData: {
      title: 'All tasks',
      words: 'requests approvals stuck reassign provisioning manual work',
      anyOf: ['tasks.read'],
      navigation: {
        views: { administrator: 3, auditor: 7 },
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

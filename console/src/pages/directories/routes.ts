import { IconUsersGroup } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const directoryRoutes = [
  createRoute({
    ...parent,
    path: '/directories',
    staticData: {
      title: 'Directories',
      anyOf: ['directories.read'],
      navigation: {
        group: 'Records',
        position: 1,
        icon: IconUsersGroup,
        attention: ['DIRECTORIES_HELD', 'DIRECTORIES_FAILING', 'DIRECTORY_CONFLICTS', 'DIRECTORY_TOKENS_EXPIRING'],
      },
    },
    component: lazyRouteComponent(() => import('./directories.tsx'), 'Directories'),
  }),
  createRoute({
    ...parent,
    path: '/directories/new',
    staticData: {
      title: 'Use an app as a directory',
      anyOf: ['directories.read'],
      commands: [
        { label: 'Add directory', icon: IconUsersGroup, words: 'create new scim', permission: 'directories.write' },
      ],
    },
    component: lazyRouteComponent(() => import('./new-directory.tsx'), 'NewDirectory'),
  }),
  createRoute({
    ...parent,
    path: '/directories/precedence',
    staticData: { title: 'Precedence of directories', anyOf: ['directories.read'] },
    component: lazyRouteComponent(() => import('./precedence.tsx'), 'Precedence'),
  }),
  createRoute({
    ...parent,
    path: '/directories/$appId/edit',
    staticData: { anyOf: ['directories.read'], isOfOneThing: true },
    component: lazyRouteComponent(() => import('./edit-directory.tsx'), 'EditDirectory'),
  }),
  createRoute({
    ...parent,
    path: '/directories/$appId',
    staticData: { anyOf: ['directories.read'], isOfOneThing: true },
    component: lazyRouteComponent(() => import('./directory.tsx'), 'OneDirectory'),
  }),
] as const

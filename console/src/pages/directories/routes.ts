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
      words: 'okta entra azure google workspace scim hr sync people source',
      anyOf: ['directories.read'],
      navigation: {
        section: 'Users',
        position: 3,
        ownPart: 'All',
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
        {
          label: 'Add directory',
          icon: IconUsersGroup,
          words: 'create new scim people okta entra connect',
          permission: 'directories.write',
        },
      ],
    },
    component: lazyRouteComponent(() => import('./new-directory.tsx'), 'NewDirectory'),
  }),
  createRoute({
    ...parent,
    path: '/directories/precedence',
    staticData: {
      title: 'Precedence of directories',
      words: 'order which value attribute wins source',
      anyOf: ['directories.read'],
      navigation: { section: 'Users', under: '/directories', label: 'Precedence', icon: IconUsersGroup },
    },
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

import { IconFileImport } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const importRoutes = [
  createRoute({
    ...parent,
    path: '/imports',
    staticData: {
      title: 'Imports',
      anyOf: ['imports.read', 'imports.write'],
      navigation: { group: 'Records', position: 3, icon: IconFileImport },
      commands: [{ label: 'Import file', icon: IconFileImport, words: 'upload', permission: 'imports.write' }],
    },
    component: lazyRouteComponent(() => import('./imports.tsx'), 'Imports'),
  }),
  createRoute({
    ...parent,
    path: '/imports/$importId',
    staticData: { title: 'Import', anyOf: ['imports.read', 'imports.write'], isOfOneThing: true },
    component: lazyRouteComponent(() => import('./import.tsx'), 'OneImport'),
  }),
] as const

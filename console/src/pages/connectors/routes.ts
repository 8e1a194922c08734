import { IconPlugConnected } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const connectorRoutes = [
  createRoute({
    ...parent,
    path: '/connectors',
    staticData: {
      title: 'Connectors',
      anyOf: ['apps.read'],
      navigation: {
        group: 'Records',
        position: 2,
        icon: IconPlugConnected,
        attention: ['SYNCS_HELD', 'SYNCS_FAILING', 'CONNECTOR_CREDENTIALS_EXPIRING'],
      },
    },
    component: lazyRouteComponent(() => import('./connectors.tsx'), 'Connectors'),
  }),
  createRoute({
    ...parent,
    path: '/connectors/new',
    staticData: {
      title: 'Add a connector',
      anyOf: ['apps.write', 'imports.write'],
      commands: [{ label: 'Add connector', icon: IconPlugConnected, words: 'create new', permission: 'apps.write' }],
    },
    component: lazyRouteComponent(() => import('./add-connector.tsx'), 'AddConnector'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/connectors',
    staticData: { anyOf: ['apps.read'], isForOwners: true, isOfOneThing: true },
    component: lazyRouteComponent(() => import('./app-connectors.tsx'), 'AppConnectors'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/connectors/$connectorId',
    staticData: { anyOf: ['apps.read'], isForOwners: true, isOfOneThing: true },
    component: lazyRouteComponent(() => import('./connector.tsx'), 'OneConnector'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/connectors/$connectorId/tasks',
    staticData: { anyOf: ['apps.read'], isForOwners: true, isOfOneThing: true },
    component: lazyRouteComponent(() => import('./tasks.tsx'), 'ConnectorTasks'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/connectors/$connectorId/owners',
    staticData: { anyOf: ['apps.read'], isForOwners: true, isOfOneThing: true },
    component: lazyRouteComponent(() => import('./owners.tsx'), 'ConnectorOwners'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../roots.ts'

const parent = { getParentRoute: () => shellRoute }

export const connectorRoutes = [
  createRoute({
    ...parent,
    path: '/connectors',
    component: lazyRouteComponent(() => import('./connectors.tsx'), 'Connectors'),
  }),
  createRoute({
    ...parent,
    path: '/connectors/new',
    component: lazyRouteComponent(() => import('./add-connector.tsx'), 'AddConnector'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/connectors',
    component: lazyRouteComponent(() => import('./app-connectors.tsx'), 'AppConnectors'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/connectors/$connectorId',
    component: lazyRouteComponent(() => import('./connector.tsx'), 'OneConnector'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/connectors/$connectorId/tasks',
    component: lazyRouteComponent(() => import('./tasks.tsx'), 'ConnectorTasks'),
  }),
  createRoute({
    ...parent,
    path: '/apps/$appId/connectors/$connectorId/owners',
    component: lazyRouteComponent(() => import('./owners.tsx'), 'ConnectorOwners'),
  }),
] as const

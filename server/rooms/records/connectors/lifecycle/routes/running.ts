import { route } from '#authority/route.ts'
import { expandedField } from '#kernel/expand.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Route } from '#kernel/routes.ts'
import { described, empty, flag, listOf, message } from '#kernel/wire.ts'
import { refuseUnknownApp } from '#rooms/records/apps/index.ts'
import { getConnector } from '../../connector/actions.ts'
import type { ConnectorOwners } from '../../connector/owners.ts'
import { about, aboutById, refOf } from '../../connector/ref.ts'
import { listConnectors } from '../../connector/store.ts'
import { ConnectorView, connectorReply, viewConnector } from '../../connector/view.ts'
import { findLastSyncs } from '../../tasks/store.ts'
import { confirmSync, deleteConnector, forceSync, pauseConnector, resumeConnector } from '../actions.ts'

const readingRoutes = (owners: ConnectorOwners): Route[] => [
  route({
    id: 'app.v1.ConnectorService.List',
    at: 'GET /api/v1/apps/{app_id}/connectors',
    summary: 'List the connectors of an app.',
    rule: 'app.list-connectors',
    about: { app: 'app_id' },
    paged: true,
    query: message('', { unownedOnly: described(flag(), 'Without an owner in any role.') }),
    reply: message('app.v1.ConnectorServiceListResponse', {
      list: listOf(ConnectorView),
      expanded: expandedField,
      nextPageToken,
    }),
    async handle(call, { path, query, page }) {
      const which = { appId: path.app_id, unownedOnly: query.unownedOnly }
      const rows = await listConnectors(call.db, call.tenant.id, which, page)
      if (rows.length === 0) await refuseUnknownApp(call.db, call, path.app_id)
      const ids = rows.map(({ id }) => id)
      const [last, users] = await Promise.all([
        findLastSyncs(call.db, call.tenant.id, ids),
        owners.listUsersOfMany(call.db, call, path.app_id, ids),
      ])
      return page.cut(
        rows,
        (row) => [row.id],
        (row) => viewConnector(row, last.get(row.id) ?? null, users.get(row.id) ?? []),
      )
    },
  }),
  route({
    id: 'app.v1.ConnectorService.Get',
    at: 'GET /api/v1/apps/{app_id}/connectors/{id}',
    summary: 'Get a connector, with the state of its last sync.',
    rule: 'connector.read',
    about: aboutById,
    reply: connectorReply('app.v1.ConnectorServiceGetResponse'),
    async handle(call, { path }) {
      const ref = { appId: path.app_id, connectorId: path.id }
      const connector = await getConnector(call.db, call, ref)
      const [last, users] = await Promise.all([
        findLastSyncs(call.db, call.tenant.id, [connector.id]),
        owners.listUsers(call.db, call, ref),
      ])
      return { connectorView: viewConnector(connector, last.get(connector.id) ?? null, users) }
    },
  }),
]

const changingRoutes: readonly Route[] = [
  route({
    id: 'app.v1.ConnectorService.Delete',
    at: 'DELETE /api/v1/apps/{app_id}/connectors/{id}',
    summary: 'Delete a connector. The records that it imported are kept.',
    rule: 'connectors.change',
    reply: empty,
    async handle(call, { path }) {
      await deleteConnector(call, { appId: path.app_id, connectorId: path.id })
      return {}
    },
  }),
  route({
    id: 'app.v1.ConnectorService.ForceSync',
    at: 'POST /api/v1/apps/{app_id}/connectors/{connector_id}/force_sync',
    summary: 'Request a sync, which starts when the connector next connects.',
    rule: 'connector.edit',
    about,
    reply: empty,
    async handle(call, { path }) {
      await forceSync(call, refOf(path))
      return {}
    },
  }),
  route({
    id: 'app.v1.ConnectorService.PauseSync',
    at: 'POST /api/v1/apps/{app_id}/connectors/{connector_id}/pause',
    summary: 'Pause a connector: it gets no tasks until it is resumed.',
    rule: 'connector.edit',
    about,
    reply: empty,
    async handle(call, { path }) {
      await pauseConnector(call, refOf(path))
      return {}
    },
  }),
  route({
    id: 'app.v1.ConnectorService.ResumeSync',
    at: 'POST /api/v1/apps/{app_id}/connectors/{connector_id}/resume',
    summary: 'Resume a connector that was paused.',
    rule: 'connector.edit',
    about,
    reply: empty,
    async handle(call, { path }) {
      await resumeConnector(call, refOf(path))
      return {}
    },
  }),
  route({
    id: 'app.v1.ConnectorService.ConfirmSyncValid',
    at: 'POST /api/v1/apps/{app_id}/connectors/{connector_id}/confirm_sync_valid/{sync_lifecycle_id}',
    summary: 'Confirm a sync that was held because of what it would remove, and import it.',
    rule: 'connector.confirm-sync',
    // It removes only records of the app that they own.
    about,
    reply: empty,
    async handle(call, { path }) {
      await confirmSync(call, refOf(path), path.sync_lifecycle_id)
      return {}
    },
  }),
]

export const runningRoutes = (owners: ConnectorOwners): Route[] => [...readingRoutes(owners), ...changingRoutes]

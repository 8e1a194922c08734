import { ExpandMask, expandedField } from '#kernel/expand.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import { route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { empty, listOf, message, nested, text } from '#kernel/wire.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import { keepApp, refuseUnknownApp } from '#rooms/records/apps/index.ts'
import { findLastSyncs } from '../work/store.ts'
import {
  type ConnectorRef,
  confirmSync,
  createConnector,
  deleteConnector,
  forceSync,
  getConnector,
  pauseConnector,
  resumeConnector,
} from './actions.ts'
import { listConnectors } from './store.ts'
import { ConnectorView, connectorReply, viewConnector } from './view.ts'

const refOf = (path: { app_id: string; connector_id: string }): ConnectorRef => ({
  appId: path.app_id,
  connectorId: path.connector_id,
})
const about = { app: 'app_id' } as const

// What a connector says is imported, of whomever it is: who has one made, or lets a sync through, imports.
const byImport = 'imports.write'

export const connectorOperations = [
  route({
    id: 'app.v1.ConnectorService.CreateDelegated',
    at: 'POST /api/v1/apps/{app_id}/connectors',
    summary: 'Create a connector of an app: a program that you run, which reads the app.',
    allow: byImport,
    body: message('app.v1.ConnectorServiceCreateDelegatedRequestInput', {
      displayName: text({ maxLength: 200 }),
      description: text({ maxLength: 10_000 }),
      catalogId: text({ maxLength: 64 }),
      expandMask: nested(ExpandMask),
    }),
    reply: connectorReply('app.v1.ConnectorServiceCreateResponse'),
    async handle(call, { path, body }) {
      const displayName = body.displayName.trim()
      if (displayName === '') throw invalid({ field: 'displayName', description: 'must not be empty' })
      const { description, catalogId } = body
      const connector = await transact(call.db, async (tx) => {
        await keepApp(tx, call, path.app_id)
        const wanted = { appId: path.app_id, displayName, description, catalogId }
        return createConnector(tx, call, causeOf(call), wanted)
      })
      return { connectorView: viewConnector(connector, null) }
    },
  }),
  route({
    id: 'app.v1.ConnectorService.List',
    at: 'GET /api/v1/apps/{app_id}/connectors',
    summary: 'List the connectors of an app.',
    allow: 'apps.read',
    about,
    paged: true,
    reply: message('app.v1.ConnectorServiceListResponse', {
      list: listOf(ConnectorView),
      expanded: expandedField,
      nextPageToken,
    }),
    async handle(call, { path, page }) {
      const rows = await listConnectors(call.db, call.tenant.id, path.app_id, page)
      if (rows.length === 0) await refuseUnknownApp(call.db, call, path.app_id)
      const ids = rows.map(({ id }) => id)
      const last = await findLastSyncs(call.db, call.tenant.id, ids)
      return page.cut(
        rows,
        (row) => [row.id],
        (row) => viewConnector(row, last.get(row.id) ?? null),
      )
    },
  }),
  route({
    id: 'app.v1.ConnectorService.Get',
    at: 'GET /api/v1/apps/{app_id}/connectors/{id}',
    summary: 'Get a connector, with the state of its last sync.',
    allow: 'apps.read',
    about,
    reply: connectorReply('app.v1.ConnectorServiceGetResponse'),
    async handle(call, { path }) {
      const connector = await getConnector(call.db, call, { appId: path.app_id, connectorId: path.id })
      const last = await findLastSyncs(call.db, call.tenant.id, [connector.id])
      return { connectorView: viewConnector(connector, last.get(connector.id) ?? null) }
    },
  }),
  route({
    id: 'app.v1.ConnectorService.Delete',
    at: 'DELETE /api/v1/apps/{app_id}/connectors/{id}',
    summary: 'Delete a connector. The records that it imported stay.',
    allow: byImport,
    reply: empty,
    async handle(call, { path }) {
      await deleteConnector(call, { appId: path.app_id, connectorId: path.id })
      return {}
    },
  }),
  route({
    id: 'app.v1.ConnectorService.ForceSync',
    at: 'POST /api/v1/apps/{app_id}/connectors/{connector_id}/force_sync',
    summary: 'Request a sync, which begins when the connector next asks for work.',
    allow: 'apps.write',
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
    allow: 'apps.write',
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
    allow: 'apps.write',
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
    allow: byImport,
    reply: empty,
    async handle(call, { path }) {
      await confirmSync(call, refOf(path), path.sync_lifecycle_id)
      return {}
    },
  }),
]

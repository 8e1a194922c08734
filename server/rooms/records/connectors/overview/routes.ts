import { route } from '#authority/route.ts'
import { nextPageToken, type Page } from '#kernel/pages.ts'
import type { Call } from '#kernel/routes.ts'
import { described, listOf, message, nested, text } from '#kernel/wire.ts'
import { refuseUnknownApp } from '#rooms/records/apps/index.ts'
import { about, refOf } from '../connector/ref.ts'
import { connectorNotFound } from '../refuse.ts'
import { selfSignedIn } from './certificate.ts'
import { listLastSyncs } from './last-syncs.ts'
import { findOverview, listCredentials, listOverview } from './store.ts'
import { ConnectorOverview, viewOverview } from './view.ts'

const listReply = (name: string) => message(name, { list: listOf(ConnectorOverview), nextPageToken })
const search = { query: described(text({ maxLength: 200 }), 'Part of the name of the connector or of its app.') }

async function listPage(call: Call, wanted: { appId: string | null; query: string }, page: Page) {
  const rows = await listOverview(call.db, call.tenant.id, wanted, page)
  const ids = rows.map(({ id }) => id)
  const last = await listLastSyncs(call, ids)
  const at = call.now()
  return page.cut(
    rows,
    (row) => [row.id],
    (row) => viewOverview(row, last.get(row.id) ?? null, at),
  )
}

export const connectorOverviewRoutes = [
  route({
    id: 'connector.v1.ConnectorOverviewService.List',
    at: 'GET /api/v1/connector_overview',
    summary: 'List the connectors of all apps, newest first, with the state and the last sync of each.',
    rule: 'connectors.list',
    paged: true,
    query: message('connector.v1.ConnectorOverviewServiceListRequest', search),
    reply: listReply('connector.v1.ConnectorOverviewServiceListResponse'),
    handle: (call, { query, page }) => listPage(call, { appId: null, query: query.query.trim() }, page),
  }),
  route({
    id: 'connector.v1.ConnectorOverviewService.ListOfApp',
    at: 'GET /api/v1/apps/{app_id}/connector_overview',
    summary: 'List the connectors of an app, newest first, with the state and the last sync of each.',
    rule: 'app.list-connectors',
    about: { app: 'app_id' },
    paged: true,
    reply: listReply('connector.v1.ConnectorOverviewServiceListOfAppResponse'),
    async handle(call, { path, page }) {
      const reply = await listPage(call, { appId: path.app_id, query: '' }, page)
      if (reply.list.length === 0) await refuseUnknownApp(call.db, call, path.app_id)
      return reply
    },
  }),
  route({
    id: 'connector.v1.ConnectorOverviewService.Get',
    at: 'GET /api/v1/apps/{app_id}/connectors/{connector_id}/overview',
    summary: 'Get the state of a connector, what it reports about itself, its last sync and its credentials.',
    rule: 'connector.read',
    about,
    reply: message('connector.v1.ConnectorOverviewServiceGetResponse', {
      connector: nested(ConnectorOverview),
      selfSignedCertificate: described(
        text(),
        "The server's certificate in PEM, if it is self-signed and the connector must be configured to trust it.",
      ),
    }),
    async handle(call, { path }) {
      const ref = refOf(path)
      const row = await findOverview(call.db, call.tenant.id, ref)
      if (!row) throw connectorNotFound(ref.connectorId)
      const last = await listLastSyncs(call, [row.id])
      const credentials = await listCredentials(call.db, call.tenant.id, row.id)
      return {
        connector: viewOverview(row, last.get(row.id) ?? null, call.now(), credentials),
        selfSignedCertificate: selfSignedIn(call.settings.certificate),
      }
    },
  }),
]

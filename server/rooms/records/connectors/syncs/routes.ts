import { route } from '#authority/route.ts'
import { Refusal } from '#kernel/refusals.ts'

import { message, text } from '#kernel/wire.ts'
import { getConnector } from '../connector/actions.ts'
import { about, refOf } from '../connector/ref.ts'
import { getSync, listSyncs } from './list.ts'
import { syncReply, syncsReply, viewSync } from './view.ts'

export const syncRoutes = [
  route({
    id: 'connector.v1.ConnectorSyncService.List',
    at: 'GET /api/v1/apps/{app_id}/connectors/{connector_id}/syncs',
    summary: 'List the syncs of a connector, newest first, with the changes of each.',
    rule: 'connector.read',
    about,
    paged: true,
    reply: syncsReply,
    async handle(call, { path, page }) {
      const connector = await getConnector(call.db, call, refOf(path))
      const rows = await listSyncs(call, connector.id, page)
      const now = call.now()
      return page.cut(
        rows,
        ({ sync }) => [sync.id],
        ({ sync, done }) => viewSync(sync, connector, done, now),
      )
    },
  }),
  route({
    id: 'connector.v1.ConnectorSyncService.Get',
    at: 'GET /api/v1/apps/{app_id}/connectors/{connector_id}/syncs/{sync_id}',
    summary: 'Get a sync of a connector, with its changes.',
    rule: 'connector.read',
    about,
    reply: syncReply,
    async handle(call, { path }) {
      const connector = await getConnector(call.db, call, refOf(path))
      const { sync, done } = await getSync(call, connector.id, path.sync_id)
      return { sync: viewSync(sync, connector, done, call.now()) }
    },
  }),
  route({
    id: 'app.v1.ConnectorService.GetConnectorSyncDownloadURL',
    at: 'GET /api/v1/apps/{app_id}/connectors/{connector_id}/syncs/{sync_id}/download_url',
    summary: 'Always refused, with the reason: files of connectors are not kept once they are imported.',
    rule: 'connectors.change',
    reply: message('app.v1.ConnectorServiceGetConnectorSyncDownloadURLResponse', { downloadUrl: text() }),
    async handle(call, { path }) {
      const { id } = await getConnector(call.db, call, refOf(path))
      await getSync(call, id, path.sync_id)
      throw new Refusal(
        'CONNECTOR_FILE_NOT_KEPT',
        'The file of a sync is deleted once it is imported: it can contain secrets of the connector. To get one, run the ' +
          'connector without a client id and with --file.',
        { metadata: { syncId: path.sync_id } },
      )
    },
  }),
]

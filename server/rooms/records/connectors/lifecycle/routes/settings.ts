import { route } from '#authority/route.ts'
import { Refusal } from '#kernel/refusals.ts'

import { message, text } from '#kernel/wire.ts'
import { findEntry } from '../../catalog/find.ts'
import { schemaReply, viewSchema } from '../../catalog/view.ts'
import { getConnector } from '../../connector/actions.ts'

const id = () => text({ maxLength: 64 })

export const settingsRoutes = [
  route({
    id: 'integration.connector.v1.ConnectorCatalogService.ConfigurationSchema',
    at: 'POST /api/v1/connectorcatalog',
    summary: 'Get the settings of a connector of the catalog, or of an existing connector.',
    rule: 'connectors.list',
    body: message('integration.connector.v1.ConnectorCatalogServiceConfigurationSchemaRequest', {
      appId: id(),
      connectorId: id(),
      catalogId: id(),
    }),
    reply: schemaReply,
    async handle(call, { body }) {
      const { appId, connectorId } = body
      const catalogId =
        connectorId === '' ? body.catalogId : (await getConnector(call.db, call, { appId, connectorId })).catalogId
      const entry = findEntry(catalogId)
      if (!entry)
        throw new Refusal('CONNECTOR_CATALOG_NOT_FOUND', `The catalog has no connector ${catalogId || '(none)'}.`, {
          metadata: { catalogId },
        })
      return { schema: viewSchema(entry) }
    },
  }),
]

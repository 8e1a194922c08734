import { Refusal } from '#kernel/refusals.ts'
import { route } from '#kernel/routes.ts'
import { message, text } from '#kernel/wire.ts'
import { getConnector } from '../connector/actions.ts'
import { catalog } from './connectors.ts'
import { findEntry } from './find.ts'
import { catalogReply, schemaReply, viewEntry, viewSchema } from './view.ts'

const id = () => text({ maxLength: 64 })

export const catalogRoutes = [
  route({
    id: 'connector.v1.ConnectorCatalogService.List',
    at: 'GET /api/v1/connector_catalog',
    summary: 'List well-known connectors, by name: what they read and change, and their settings.',
    allow: 'apps.read',
    paged: true,
    reply: catalogReply,
    handle(_call, { page }) {
      const after = page.after?.[0]
      const rows = catalog
        .filter((entry) => after === undefined || entry.id > (after as string))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, page.limit)
      return page.cut(rows, (entry) => [entry.id], viewEntry)
    },
  }),
  route({
    id: 'integration.connector.v1.ConnectorCatalogService.ConfigurationSchema',
    at: 'POST /api/v1/connectorcatalog',
    summary: 'Get the settings of a connector of the catalog, or of an existing connector.',
    allow: 'apps.read',
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

import { Refusal } from '#kernel/refusals.ts'
import { scimCatalogId } from '../scim-connection/connection.ts'
import { catalog } from './connectors.ts'
import type { CatalogEntry } from './entry.ts'

const byId = new Map(catalog.map((entry) => [entry.id, entry]))

/** The catalog id of any connector that its owner runs, as clients of the published API send it. */
const anyConnectorId = '2HErg7BRmNdHgX8sTCWVq4E1fyh'

export const findEntry = (catalogId: string): CatalogEntry | null => byId.get(catalogId) ?? null

/**
 * Refuses what only the vendor can run. Its integrations have ids that this catalog does not know; a connector created from
 * one would wait forever for a program that nobody has.
 */
export function refuseHosted(catalogId: string): void {
  if (catalogId === '' || catalogId === anyConnectorId || byId.has(catalogId)) return
  if (catalogId === scimCatalogId)
    throw new Refusal(
      'CONNECTOR_BUILT_IN',
      'Connectors for apps that support SCIM are run by this server. Create one with POST /api/v1/apps/{app_id}/connectors/scim.',
      { metadata: { catalogId } },
    )
  throw new Refusal(
    'CONNECTOR_HOSTED',
    `The catalog has no connector ${catalogId}. Integrations that the vendor hosts cannot run here. Run the open-source ` +
      'connector of the app instead: GET /api/v1/connector_catalog lists them; leave catalogId empty for one that is not listed.',
    { metadata: { catalogId } },
  )
}

import { route } from '#authority/route.ts'

import { catalog } from './connectors.ts'
import { catalogReply, viewEntry } from './view.ts'

export const catalogRoutes = [
  route({
    id: 'connector.v1.ConnectorCatalogService.List',
    at: 'GET /api/v1/connector_catalog',
    summary: 'List well-known connectors, by name: what they read and change, and their settings.',
    rule: 'connectors.list',
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
]

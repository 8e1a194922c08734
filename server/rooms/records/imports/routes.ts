import { route } from '#authority/route.ts'
import { orderByField, orderIn, readApart } from '#kernel/order.ts'

import { described, flag, list, type MessageOf, message, oneOf, text, timestamp } from '#kernel/wire.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import { getImport, importFile } from './actions.ts'
import { kindNames } from './kinds.ts'
import type { Format } from './reading/reading.ts'
import { countImports, type ImportFilter, importOrders, listImports } from './store.ts'
import { importReply, importsReply, viewImport } from './view.ts'

const csv = 'text/csv'
const connectorFile = ['application/x-c1z', 'application/octet-stream']
const formatOf = (type: string): Format => (type === csv ? 'csv' : connectorFile.includes(type) ? 'c1z' : 'jsonl')

const listFields = {
  formats: described(
    list(oneOf(['unspecified', 'jsonl', 'csv', 'c1z']), 10),
    'Only imports of files of these formats.',
  ),
  extent: described(oneOf(['unspecified', 'full', 'partial']), 'Only full imports, or only partial ones.'),
  userIds: described(list(text({ maxLength: 64 }), 100), 'Only imports by one of these users.'),
  finishedAfter: described(timestamp(), 'Only imports that finished at or after this time.'),
  finishedBefore: described(timestamp(), 'Only imports that finished before this time.'),
  orderBy: orderByField(importOrders),
}

const filterOf = (query: MessageOf<typeof listFields>): ImportFilter => ({
  formats: query.formats.filter((format) => format !== 'unspecified'),
  isFull: query.extent === 'unspecified' ? null : query.extent === 'full',
  userIds: query.userIds,
  after: query.finishedAfter,
  before: query.finishedBefore,
})

export const importRoutes = [
  route({
    id: 'import.v1.ImportService.Create',
    at: 'POST /api/v1/imports',
    summary:
      'Import a file of users, apps, resource types, resources, entitlements, accounts and grants, or the file of a ' +
      'connector (.c1z), completely or not at all.',
    rule: 'imports.create',
    stream: ['application/jsonl', 'application/x-ndjson', csv, ...connectorFile],
    query: message('import.v1.ImportServiceCreateRequest', {
      full: described(flag(), 'Removes previously imported records that are not in the file, of the types in it.'),
      dryRun: described(flag(), 'Shows what would change, and saves nothing.'),
      force: described(flag(), 'Even if a full import would remove more than 20% of the records of a type.'),
      kind: described(oneOf(['unspecified', ...kindNames]), 'The type of records in lines without one.'),
      app: described(
        text({ maxLength: 500, isLine: true }),
        'The app of a connector file: its id or its external id. If the app does not exist, it is created.',
      ),
    }),
    reply: importReply('import.v1.ImportServiceCreateResponse'),
    async handle(call, { query, stream }) {
      const done = await importFile(call, causeOf(call), {
        source: stream.source,
        format: formatOf(stream.type),
        kind: query.kind === 'unspecified' ? null : query.kind,
        isFull: query.full,
        isDryRun: query.dryRun,
        isForced: query.force,
        app: query.app || null,
      })
      return { import: viewImport(done, query.dryRun) }
    },
  }),
  route({
    id: 'import.v1.ImportService.List',
    at: 'GET /api/v1/imports',
    summary: 'List imports, newest first by default.',
    rule: 'imports.read',
    paged: true,
    query: message('import.v1.ImportServiceListRequest', listFields),
    reply: importsReply('import.v1.ImportServiceListResponse'),
    async handle(call, { query, page }) {
      const wanted = { filter: filterOf(query), order: orderIn(importOrders, query.orderBy) }
      const rows = await readApart(call.db, wanted.order !== null, (db) =>
        listImports(db, call.tenant.id, wanted, page),
      )
      return page.cut(
        rows,
        ({ key, id }) => (key === undefined ? [id] : [key, id]),
        (row) => viewImport(row),
      )
    },
    count: (call, { query }, limit) => countImports(call.db, call.tenant.id, filterOf(query), limit),
  }),
  route({
    id: 'import.v1.ImportService.Get',
    at: 'GET /api/v1/imports/{import_id}',
    summary: 'Get an import.',
    rule: 'imports.read',
    reply: importReply('import.v1.ImportServiceGetResponse'),
    handle: async (call, { path }) => ({ import: viewImport(await getImport(call, path.import_id)) }),
  }),
]

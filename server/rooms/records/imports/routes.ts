import { route } from '#kernel/routes.ts'
import { described, flag, message, oneOf, text } from '#kernel/wire.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import { getImport, importFile } from './actions.ts'
import { kindNames } from './kinds.ts'
import type { Format } from './reading/reading.ts'
import { listImports } from './store.ts'
import { importReply, importsReply, viewImport } from './view.ts'

const csv = 'text/csv'
const connectorFile = ['application/x-c1z', 'application/octet-stream']
const formatOf = (type: string): Format => (type === csv ? 'csv' : connectorFile.includes(type) ? 'c1z' : 'jsonl')

export const importRoutes = [
  route({
    id: 'import.v1.ImportService.Create',
    at: 'POST /api/v1/imports',
    summary:
      'Import a file of users, apps, resource types, resources, entitlements, accounts and grants, or the file of a ' +
      'connector (.c1z), completely or not at all.',
    allow: 'imports.write',
    stream: ['application/jsonl', 'application/x-ndjson', csv, ...connectorFile],
    query: message('import.v1.ImportServiceCreateRequest', {
      full: described(flag(), 'Removes previously imported records that are not in the file, of the types in it.'),
      dryRun: described(flag(), 'Shows what would change, and saves nothing.'),
      force: described(flag(), 'Even if a full import would remove more than 20% of the records of a type.'),
      kind: described(oneOf(['unspecified', ...kindNames]), 'The type of records in lines without one.'),
      app: described(
        text({ maxLength: 500 }),
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
    summary: 'List imports, newest first.',
    allow: 'imports.read',
    paged: true,
    reply: importsReply('import.v1.ImportServiceListResponse'),
    async handle(call, { page }) {
      const rows = await listImports(call.db, call.tenant.id, page)
      return page.cut(
        rows,
        (row) => [row.id],
        (row) => viewImport(row),
      )
    },
  }),
  route({
    id: 'import.v1.ImportService.Get',
    at: 'GET /api/v1/imports/{import_id}',
    summary: 'Get an import.',
    allow: 'imports.read',
    reply: importReply('import.v1.ImportServiceGetResponse'),
    handle: async (call, { path }) => ({ import: viewImport(await getImport(call, path.import_id)) }),
  }),
]

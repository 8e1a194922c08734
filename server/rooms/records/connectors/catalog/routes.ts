import { route } from '#authority/route.ts'
import type { Call } from '#kernel/routes.ts'
import { described, flag, message, nested, text } from '#kernel/wire.ts'
import { findProgram, listPrograms, mayRun, type ProgramFile } from '../folder/list.ts'
import { programNotFound } from '../refuse.ts'
import { catalog } from './connectors.ts'
import { describeProgram, entryOfUnknown } from './of-program.ts'
import { catalogReply, EntryMessage, viewEntry } from './view.ts'

/** The programs that the server can run for this tenant. */
const programsFor = async (call: Call): Promise<ProgramFile[]> =>
  mayRun(call, call.tenant) ? (await listPrograms(call)).filter(({ problem }) => problem === '') : []

export const catalogRoutes = [
  route({
    id: 'connector.v1.ConnectorCatalogService.List',
    at: 'GET /api/v1/connector_catalog',
    summary:
      'List well-known connectors and those that this server can run, by name: what they read and change, and their settings.',
    rule: 'connectors.list',
    paged: true,
    reply: catalogReply,
    async handle(call, { page }) {
      const after = page.after?.[0]
      const programs = new Map((await programsFor(call)).map((file) => [file.name, file]))
      const known = new Set(catalog.map(({ id }) => id))
      const others = [...programs.values()].filter(({ name }) => !known.has(name)).map(entryOfUnknown)
      const rows = [...catalog, ...others]
        .filter((entry) => after === undefined || entry.id > (after as string))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, page.limit)
      return page.cut(
        rows,
        (entry) => [entry.id],
        (entry) => viewEntry(entry, { isOnServer: programs.has(entry.id), isKnown: known.has(entry.id) }),
      )
    },
  }),
  route({
    id: 'connector.v1.ConnectorCatalogService.GetProgram',
    at: 'GET /api/v1/connector_catalog/programs/{program}',
    summary:
      'Get the settings of a connector that this server can run. One that is not in the catalog is asked for them: it is run with the argument config.',
    rule: 'connectors.change',
    reply: message('connector.v1.ConnectorCatalogServiceGetProgramResponse', {
      entry: nested(EntryMessage),
      isDescribed: described(
        flag(),
        'False if the settings of the program are not known: it can be run without settings only.',
      ),
      name: text(),
    }),
    async handle(call, { path }) {
      const file = mayRun(call, call.tenant) ? await findProgram(call, path.program) : null
      if (!file || file.problem !== '') throw programNotFound(path.program.slice(0, 64))
      const entry = await describeProgram(call, file)
      const is = { isOnServer: true, isKnown: catalog.some(({ id }) => id === file.name) }
      return { entry: viewEntry(entry ?? entryOfUnknown(file), is), isDescribed: entry !== null, name: file.name }
    },
  }),
]

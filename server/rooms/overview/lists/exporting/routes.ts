import { route, ruleOf } from '#authority/route.ts'
import { byteOrderMark, csvLine } from '#kernel/csv.ts'
import { Download } from '#kernel/download.ts'
import { asExport } from '#kernel/exports-at-once.ts'
import type { At, Call, Route } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { described, empty, message, oneOf, type Shape } from '#kernel/wire.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { filtersOf, inputOf } from '../counting.ts'
import type { Json, List } from '../list.ts'
import { besideOf, riskLevelsOf } from './beside.ts'
import { pagesOf } from './rows.ts'
import { type Exported, exportedOf } from './words.ts'

const types = { csv: 'text/csv; charset=utf-8', json: 'application/json' } as const
type Format = keyof typeof types

/** Everything in a list that fits the filters, as one file. */
export const exportRoute = (list: List, of: Route): Route => {
  const filters = filtersOf(of)
  return route({
    id: `lists.v1.ListExports.${list.id}`,
    at: `POST /api/v1/lists${list.path}/export` as At,
    summary: `Export all items of a list that match the filters, as CSV or JSON: ${list.name}. The export is recorded in the system log.`,
    rule: ruleOf(of),
    about: of.about as [],
    download: ['text/csv', 'application/json'],
    jsonFile: of.reply.fields['list'] as Shape<unknown>,
    body: message(`lists.v1.Export${list.id}Request`, {
      ...filters,
      format: described(
        oneOf(['csv', 'json']),
        'csv: the columns of the list in the console, in UTF-8 with a byte order mark. json: an array of the items as the list operation returns them.',
      ),
    }),
    reply: empty,
    handle(call, { path, body }) {
      const { format, ...asked } = body as { format: Format } & Readonly<Record<string, unknown>>
      return asExport(call, async () => {
        const input = { path, ...inputOf(of, asked, format === 'csv' ? list.expand : []) }
        const pages = pagesOf(of, call, input)
        // Callers who may not read the list are refused at its first page, and no event is recorded for such an export.
        const first = await pages.next()
        const pieces = format === 'csv' ? csvOf(call, list, first, pages) : jsonOf(first, pages)
        const what = await exportedOf(call, list, { path, asked })
        await transact(call.db, (tx) => recordExport(tx, call, what, format, { ...path, ...asked }))
        return new Download(types[format], `${what.fileName}.${format}`, pieces)
      })
    },
  })
}

type Pages = AsyncGenerator<Json>
type First = IteratorResult<Json>

const itemsOf = ({ list }: Json): readonly Json[] => (Array.isArray(list) ? (list as Json[]) : [])

async function* csvOf(call: Call, { columns }: List, first: First, rest: Pages): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(columns.map(({ header }) => header))
  const riskLevel = await riskLevelsOf(call)
  for (let page = first; !page.done; page = await rest.next()) {
    const beside = besideOf(page.value, riskLevel)
    yield* inPieces(itemsOf(page.value), (item) => csvLine(columns.map(({ value }) => value(item, beside))))
  }
}

async function* jsonOf(first: First, rest: Pages): AsyncGenerator<string> {
  yield '['
  let before = '\n'
  for (let page = first; !page.done; page = await rest.next())
    yield* inPieces(itemsOf(page.value), (item) => {
      const text = before + JSON.stringify(item)
      before = ',\n'
      return text
    })
  yield '\n]\n'
}

// Records may be large: others have their turn after so much, and what is written waits to be taken.
const pieceLength = 64 * 1024

function* inPieces(items: readonly Json[], textOf: (item: Json) => string): Generator<string> {
  let text = ''
  for (const item of items) {
    text += textOf(item)
    if (text.length < pieceLength) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

const isSet = (value: unknown): boolean =>
  value !== null &&
  value !== '' &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0) &&
  !(typeof value === 'string' && value.endsWith('UNSPECIFIED'))

/** Who took which list out, and by which filters. */
const recordExport = (tx: Tx, call: Call, { list, words }: Exported, format: Format, asked: Json) =>
  recordChange(tx, call, 'read', `Exported ${words} as ${format.toUpperCase()}`, [
    {
      type: 'list',
      id: list.name,
      name: list.name,
      data: { format, filters: Object.fromEntries(Object.entries(asked).filter(([, value]) => isSet(value))) },
    },
  ])

import { once } from 'node:events'
import type { Tx } from '#kernel/sql.ts'
import type { StagedTable } from '../c1z/messages.ts'
import { columnsOf, type KindName, kindNames, kinds, type StagedColumn, type Values } from '../kinds.ts'
import { copyRow, refusedRow } from '../reading/copy-text.ts'
import type { Refused } from '../reading/records.ts'
import { analyze } from './temporary.ts'

/** Where the lines of a kind are stored before they are processed. Temporary: they are dropped with the transaction. */
export const stagedTables = {
  user: 'staged_users',
  app: 'staged_apps',
  resource_type: 'staged_resource_types',
  resource: 'staged_resources',
  entitlement: 'staged_entitlements',
  account: 'staged_accounts',
  grant: 'staged_grants',
} as const satisfies Record<KindName, string>

const typeIn = ({ type, isKey }: StagedColumn): string => (isKey ? `${type} collate "C"` : type)

export async function createStagedTables(tx: Tx): Promise<void> {
  for (const kind of kindNames) {
    const columns = columnsOf(kinds[kind]).map((each) => `"${each.column}" ${typeIn(each)}`)
    await tx.unsafe(`create temporary table ${stagedTables[kind]} (line int, ${columns.join(', ')}) on commit drop`)
  }
  // The refused lines, whether refused because of their contents or of what is in the database.
  await tx`create temporary table refused_lines (line int, kind text, reason text) on commit drop`
}

export type Staging = {
  /** How many lines of each kind were stored. */
  readonly counts: Record<KindName, number>
  put(kind: KindName, line: number, values: Values): void
  /** Rows of COPY from a connector's file, which were produced elsewhere. */
  putRows(table: StagedTable, text: string, count: number): void
  refuse(refused: Refused): void
  /** Sends what was gathered, if it is enough. */
  send(): Promise<void>
  /** Sends everything that is left. */
  finish(): Promise<void>
}

// The size of one COPY: small enough to be held for each kind, and large enough that the cost of a COPY does not matter.
const textLengthMin = 1024 * 1024

/**
 * Streams lines into the staged tables. A connection accepts one COPY at a time while a file may have its kinds in any
 * order, so lines are gathered by kind; while the database receives one batch, the next is read.
 */
export function openStaging(tx: Tx): Staging {
  const columns = Object.fromEntries(kindNames.map((kind) => [kind, columnsOf(kinds[kind])])) as Record<
    KindName,
    StagedColumn[]
  >
  const gathered = new Map<string, string>()
  const counts = Object.fromEntries(kindNames.map((kind) => [kind, 0])) as Record<KindName, number>
  let sending: Promise<void> = Promise.resolve()

  const gather = (table: string, row: string): void => void gathered.set(table, (gathered.get(table) ?? '') + row)
  const send = async (lengthMin: number): Promise<void> => {
    for (const [table, text] of gathered) {
      if (text.length < lengthMin) continue
      await sending
      gathered.delete(table)
      sending = copy(tx, table, text)
      // Whether it failed is checked before the next is sent.
      sending.catch(() => {})
    }
  }
  return {
    counts,
    put(kind, line, values) {
      gather(stagedTables[kind], copyRow(columns[kind], line, values))
      counts[kind]++
    },
    putRows(table, text, count) {
      if (table in stagedTables) counts[table as KindName] += count
      gather(stagedTables[table as KindName] ?? `staged_${table}s`, text)
    },
    refuse: (refused) => gather('refused_lines', refusedRow(refused)),
    send: () => send(textLengthMin),
    async finish() {
      await send(1)
      await sending
      for (const kind of kindNames) await analyze(tx, stagedTables[kind], counts[kind])
    },
  }
}

async function copy(tx: Tx, table: string, text: string): Promise<void> {
  const into = await tx`copy ${tx(table)} from stdin`.writable()
  into.end(text)
  await once(into, 'finish')
}

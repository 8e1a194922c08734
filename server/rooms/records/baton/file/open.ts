import { closeSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { constants, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { FileRefused } from './refused.ts'

/** The tables that are read, and their columns. No others are read, least of all the connector's sessions. */
const read = {
  v1_sync_runs: ['sync_id', 'started_at', 'ended_at', 'sync_type'],
  v1_resource_types: ['sync_id', 'external_id', 'data'],
  v1_resources: ['sync_id', 'external_id', 'resource_type_id', 'parent_resource_type_id', 'parent_resource_id', 'data'],
  v1_entitlements: ['sync_id', 'external_id', 'resource_type_id', 'resource_id', 'data'],
  v1_grants: [
    'sync_id',
    'external_id',
    'entitlement_id',
    'principal_resource_type_id',
    'principal_resource_id',
    'data',
  ],
} as const
export type TableName = keyof typeof read
type ColumnsOf<T extends TableName> = (typeof read)[T][number]
/** Columns that some generations of connectors do not write. */
const optional: readonly string[] = ['sync_type']

/**
 * The message of a grant is needed only for its sources, whose tag is the byte 0x2a, and for its annotations, whose tag is
 * `"` and follows the id. If it has neither, null is read in its place: of the time that a million grants took, two thirds
 * were spent on messages of which nothing was used. The id is needed only if it is not the one that the connectors' library
 * generates.
 */
const ofGrants: Record<string, string> = {
  data: `case when instr(data, x'2a') > 0 or instr(data, cast(external_id || '"' as blob)) > 0 then data end as data`,
  external_id: `case when external_id <> entitlement_id || ':' || principal_resource_type_id || ':' || principal_resource_id
    then external_id end as external_id`,
}
const of =
  (table: TableName) =>
  (column: string): string =>
    (table === 'v1_grants' ? ofGrants[column] : undefined) ?? column

/** The most bytes that a row may have. The largest real ones are tens of kilobytes. */
const rowBytesMax = 4 * 1024 * 1024
/** The fewest bytes that a row takes: four in its page, and two that say where. */
const rowBytesMin = 6
const heapBytesMax = 64 * 1024 * 1024
const header = 'SQLite format 3\0'

export type ConnectorDatabase = {
  has(table: TableName, column: string): boolean
  /**
   * The rows of a table in the order in which they are stored, each as an array: an object for each takes half as long
   * again. Conditions are left to the caller: see below.
   */
  rows<T extends TableName>(table: T, columns: readonly ColumnsOf<T>[]): Iterable<readonly unknown[]>
  close(): void
}

/**
 * Opens an unpacked database that anybody may have written, to read five tables of it, and deletes its file: the open
 * database stays readable, and nothing is left behind regardless of what happens.
 *
 * Every statement is a scan without a condition, so that each step ends with a row. In a damaged tree a page can be reached
 * in a million ways; a condition that no row meets would keep SQLite busy in one call, which cannot be ended. If there are
 * more rows than the file has room for, reading fails because the file is damaged.
 */
export function openConnectorDatabase(path: string): ConnectorDatabase {
  useRollbackJournal(path)
  const rowsMax = Math.ceil(statSync(path).size / rowBytesMin)
  const url = pathToFileURL(path)
  // SQLite looks for no journal, lock or other file beside it.
  url.searchParams.set('immutable', '1')
  const db = new DatabaseSync(url, { readOnly: true, allowExtension: false })
  try {
    rmSync(path)
    db.limits.length = rowBytesMax
    db.limits.attach = 0
    db.enableDefensive(true)
    db.exec(`pragma trusted_schema = off; pragma cell_size_check = on; pragma mmap_size = 0;
      pragma temp_store = memory; pragma cache_size = -8192; pragma hard_heap_limit = ${heapBytesMax}`)
    refuseSchema(db)
    const columns = new Map(Object.keys(read).map((table) => [table, columnsIn(db, table as TableName)]))
    allowOnlyReading(db)
    return {
      has: (table, column) => columns.get(table)?.has(column) === true,
      rows(table, wanted) {
        const statement = db.prepare(`select ${wanted.map(of(table)).join(', ')} from ${table} not indexed`)
        statement.setReturnArrays(true)
        return upTo(rowsMax, statement.iterate() as Iterable<unknown> as Iterable<readonly unknown[]>)
      },
      close: () => db.close(),
    }
  } catch (error) {
    db.close()
    throw error
  }
}

function* upTo<T>(countMax: number, rows: Iterable<T>): Generator<T> {
  let count = 0
  for (const row of rows) {
    if (++count > countMax)
      throw new FileRefused('The database in the file is damaged: a table has more rows than fit into the file.')
    yield row
  }
}

/**
 * Marks the database as having a rollback journal: in WAL mode, as older connectors write it, it could not be read alone.
 */
function useRollbackJournal(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const first = Buffer.alloc(100)
    const length = readSync(file, first, 0, first.length, 0)
    if (length < first.length || first.toString('latin1', 0, header.length) !== header)
      throw new FileRefused('The file does not contain a SQLite database.')
    writeSync(file, Buffer.from([1, 1]), 0, 2, 18)
  } finally {
    closeSync(file)
  }
}

/** Refuses everything that a database of a connector does not have and that would compute something when it is read. */
function refuseSchema(db: DatabaseSync): void {
  let entries = 0
  for (const { type, name, sql } of db.prepare('select type, name, sql from sqlite_schema').iterate()) {
    if (++entries > 1000) throw new FileRefused('The database in the file has more than 1000 tables and indexes.')
    const isTable = type === 'table' && typeof sql === 'string' && /^\s*create\s+table\b/i.test(sql)
    if (!isTable && type !== 'index')
      throw new FileRefused(
        `The database in the file has ${nameOf(type, sql)} ${told(name)}, which connectors do not write.`,
      )
  }
}

const nameOf = (type: unknown, sql: unknown): string =>
  type === 'table' && typeof sql === 'string' && /^\s*create\s+virtual\b/i.test(sql)
    ? 'a virtual table'
    : `a ${told(type)}`
const told = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 100) : 'entry')

function columnsIn(db: DatabaseSync, table: TableName): Set<string> {
  const found = db.prepare(`pragma table_xinfo(${table})`).all()
  if (found.length === 0) throw new FileRefused(`The database in the file has no table ${table}.`)
  if (found.some(({ hidden }) => hidden !== 0))
    throw new FileRefused(`The table ${table} in the file has a computed column, which connectors do not write.`)
  const names = new Set(found.map(({ name }) => String(name)))
  for (const column of read[table])
    if (!names.has(column) && !optional.includes(column))
      throw new FileRefused(`The table ${table} in the file has no column ${column}.`)
  return names
}

/** From here on, no statement of whichever origin reads anything else, calls another function, or writes. */
function allowOnlyReading(db: DatabaseSync): void {
  const { SQLITE_OK, SQLITE_DENY, SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION } = constants
  db.setAuthorizer((action, table, column) => {
    if (action === SQLITE_SELECT || (action === SQLITE_FUNCTION && column === 'instr')) return SQLITE_OK
    const columns = action === SQLITE_READ && Object.hasOwn(read, table ?? '') ? read[table as TableName] : []
    return (columns as readonly (string | null)[]).includes(column) ? SQLITE_OK : SQLITE_DENY
  })
}

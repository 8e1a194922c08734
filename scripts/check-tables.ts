/**
 * Which room may access which table: compares tables/ with the SQL in the sources. Violations are planted in
 * tests/checks/tables.test.ts.
 */
import { rooms } from './rooms.ts'
import { readColumns, type Use, usesUnder } from './table-uses.ts'
import { namedAtRunTime, tables } from './tables/index.ts'
import type { Tables } from './tables/table.ts'

/**
 * Top to bottom, with the folders above and below all rooms. `authority` writes nothing, and reads what
 * rooms publish.
 */
const order = [
  'kernel',
  'database',
  'engine',
  'http',
  'secrets',
  ...rooms,
  'authority',
  'registry',
  'start',
  'demo',
  'cli',
]

/** The room of a file, or its folder where it is in none. */
const roomOf = (file: string): string =>
  /^server\/rooms\/([^/]+\/[^/]+)\//.exec(file)?.[1] ?? /^(?:server\/)?([^/.]+)/.exec(file)?.[1] ?? file

type Permits = {
  tables: Tables
  /** The tables of the schema, with their columns. */
  columns: ReadonlyMap<string, ReadonlySet<string>>
  namedAtRunTime: Readonly<Record<string, string>>
}

const wordsOf = (text: string | undefined): string[] => (text ?? '').split(' ').filter(Boolean)

/** What is wrong: uses that are not permitted, and permits that nothing needs. */
export function problemsOf(uses: readonly Use[], permits: Permits): string[] {
  const needed = new Set<string>()
  const problems = new Set<string>()
  for (const use of uses) {
    const problem = problemOf(use, permits, (permit) => needed.add(permit))
    if (problem !== null) problems.add(problem)
  }
  return [...misplaced(permits), ...problems, ...unneeded(permits, needed)]
}

function problemOf(use: Use, permits: Permits, need: (permit: string) => void): string | null {
  const { file } = use
  if (use.does === 'name at run time') {
    need(`run time ${file}`)
    return file in permits.namedAtRunTime ? null : `${file} names a table only at run time`
  }
  const { table } = use
  const permit = permits.tables[table]
  if (permit === undefined) return null
  const room = roomOf(file)
  if (room === permit.room) return null
  if (use.does === 'write') {
    need(`write ${table} ${room}`)
    return room in (permit.alsoWrittenBy ?? {}) ? null : `${file} writes ${table}, which is written by ${permit.room}`
  }
  const isBelow = order.indexOf(room) > order.indexOf(permit.room)
  const reading = isBelow ? permit.read : permit.readByEarlier?.[room]
  const place = isBelow ? '' : room
  need(`read ${table} ${place}`)
  if (use.column !== 'tenant_id') need(`read ${table} ${place} ${use.column}`)
  if (reading && (use.column === 'tenant_id' || wordsOf(reading.columns).includes(use.column))) return null
  const why = isBelow ? `does not publish it` : `is below ${room}: only what is below a room reads its tables`
  return `${file} reads ${table}.${use.column}: ${permit.room} ${why}`
}

/** Tables, rooms and columns that there are not, or that are missing. */
function misplaced({ tables: listed, columns }: Permits): string[] {
  const problems = [...columns.keys()]
    .filter((table) => !(table in listed))
    .map((table) => `${table} is in the schema, and scripts/tables/ does not say whose it is`)
  for (const [table, { room, read, alsoWrittenBy = {}, readByEarlier = {} }] of Object.entries(listed)) {
    const known = columns.get(table)
    if (known === undefined) problems.push(`scripts/tables/ lists ${table}, which is not in the schema`)
    for (const each of [room, ...Object.keys(alsoWrittenBy), ...Object.keys(readByEarlier)])
      if (!order.includes(each)) problems.push(`scripts/tables/ says ${each} of ${table}, which is no room`)
    if (Object.values(alsoWrittenBy).includes('')) problems.push(`scripts/tables/ gives no reason for writing ${table}`)
    for (const reading of [...(read ? [read] : []), ...Object.values(readByEarlier)]) {
      if (reading.reason === '') problems.push(`scripts/tables/ gives no reason for reading ${table}`)
      for (const column of wordsOf(reading.columns))
        if (column !== '*' && known?.has(column) === false) problems.push(`${table} has no column ${column}`)
    }
  }
  return problems
}

/** Permits that nothing needs any more: the list of exceptions only becomes shorter. */
function unneeded({ tables: listed, namedAtRunTime: files }: Permits, needed: ReadonlySet<string>): string[] {
  const problems = Object.keys(files)
    .filter((file) => !needed.has(`run time ${file}`))
    .map((file) => `${file} names no table at run time any more: remove it from scripts/tables/index.ts`)
  const say = (table: string, what: string): void =>
    void problems.push(`${table}: ${what} any more: remove it from scripts/tables/`)
  for (const [table, { read, alsoWrittenBy = {}, readByEarlier = {} }] of Object.entries(listed)) {
    for (const room of Object.keys(alsoWrittenBy))
      if (!needed.has(`write ${table} ${room}`)) say(table, `${room} does not write it`)
    for (const [place, reading] of [...(read ? [['', read] as const] : []), ...Object.entries(readByEarlier)]) {
      const reads = place === '' ? 'no other room reads' : `${place} does not read`
      if (!needed.has(`read ${table} ${place}`)) say(table, `${reads} it`)
      for (const column of wordsOf(reading.columns))
        if (!needed.has(`read ${table} ${place} ${column}`)) say(table, `${reads} ${column}`)
    }
  }
  return problems
}

if (import.meta.main) {
  const columns = readColumns()
  const uses = usesUnder(process.cwd(), columns)
  const problems = problemsOf(uses, { tables, columns, namedAtRunTime })
  for (const problem of problems) console.log(problem)
  if (uses.length === 0) console.log('no use of a table was found: this is not the root')
  if (problems.length > 0 || uses.length === 0) process.exitCode = 1
}

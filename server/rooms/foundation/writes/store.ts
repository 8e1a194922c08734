import type { Fragment, Row, Tx } from '#kernel/sql.ts'
import type { Part } from '#kernel/statements.ts'
import { entitlementsDeleted } from './hooks.ts'
import { insertFewKeys, keptOf, recordFew, refreshFewKeys } from './store/few.ts'
import { recordInserted, recordUpdated } from './store/record-changes.ts'
import { insertKeys, refreshKeys } from './store/search-keys.ts'
import { changesKeys, fieldsOf, sinceColumns, type Table, tables, type Written } from './tables.ts'

export type Answer = Readonly<Record<string, string>>

export type Writing = {
  /** What is returned for each row, by name: columns of its key and of `answers` in tables.ts; by default, nothing. */
  answer?: Answer
  /** The entitlement's own rule grants or revokes it. */
  isByRule?: boolean
  /** At most `fewMax` rows: they are written by plain statements, which a distributed database sends to one shard. */
  isFew?: boolean
  /**
   * The keys of the few rows that are inserted, if they are known and have no search keys: the changes are recorded for
   * rules in the same round trip. If one of them existed already, rules check it needlessly.
   */
  known?: readonly Row[]
}

/** Up to this many rows are written as a few. */
export const fewMax = 8

/** The requested columns of the rows, and how many were written. */
export type WrittenRows<T> = { rows: T[]; count: number }

const columnsOf = (tx: Tx, { key, answers, searched }: Written): Fragment =>
  tx.unsafe(
    [...new Set([...key, ...answers, ...(searched ? [...searched.columns, 'deleted_at'] : [])])]
      .map((column) => `x.${column}`)
      .join(', '),
  )

const fewColumnsOf = (tx: Tx, table: Table): Fragment => tx`${columnsOf(tx, tables[table])} ${keptOf(tx, table)}`

const fewAnswered = <T>(rows: readonly Row[], answer: Answer | undefined): WrittenRows<T> => ({
  rows: answer
    ? rows.map(
        (row) =>
          Object.fromEntries(Object.entries(answer).map(([name, column]) => [name, row[column] as unknown])) as T,
      )
    : [],
  count: rows.length,
})

/**
 * Inserts rows, with their search keys and their changes for rules, in one statement. `rows` is what follows the name
 * of the table in an INSERT, up to RETURNING.
 */
export async function insertRecords<T extends Row = Row>(
  tx: Tx,
  tenantId: number,
  table: Table,
  rows: Part,
  { answer, isByRule = false, isFew = false, known }: Writing = {},
): Promise<WrittenRows<T>> {
  const { searched } = tables[table]
  if (isFew) {
    const inserting = tx`insert into ${tx(table)} as x ${rows} returning ${fewColumnsOf(tx, table)}`
    const recording = { fields: null, isByRule }
    if (known && !searched) {
      const [inserted] = await Promise.all([inserting, recordFew(tx, tenantId, table, known, recording)])
      return fewAnswered(inserted, answer)
    }
    const inserted = await inserting
    await Promise.all([
      insertFewKeys(tx, tenantId, table, inserted, { areNew: true }),
      recordFew(tx, tenantId, table, inserted, recording),
    ])
    return fewAnswered(inserted, answer)
  }
  const found = await tx<(T & { written: number })[]>`
    with written as (
      insert into ${tx(table)} as x ${rows} returning ${columnsOf(tx, tables[table])}
    )
    ${searched ? tx`, keys as (${insertKeys(tx, tenantId, table, searched)})` : tx``}
    ${recordInserted(tx, tenantId, table, isByRule)}
    ${answered(tx, answer)}`
  return counted(found)
}

export type Changing = {
  /** The new values by column. `x` is the row before the change. */
  set: Readonly<Record<string, Part>>
  /** What follows FROM. */
  from?: Fragment
  /** Which rows `x`, in addition to the tenant. */
  where: Fragment
}

/**
 * Updates rows. Which columns are set decides what follows: search keys are compared and corrected, the changes are
 * recorded for rules, and the rules of deleted entitlements end.
 * Keys and rules follow in separate statements. An UPDATE that waited for another transaction changes that one's row,
 * while the rest of its statement still sees the database as it was before.
 */
export async function updateRecords<T extends Row = Row>(
  tx: Tx,
  tenantId: number,
  table: Table,
  { set, from, where }: Changing,
  { answer, isByRule = false, isFew = false }: Writing = {},
): Promise<WrittenRows<T>> {
  const written = tables[table]
  const columns = Object.keys(set)
  const followsKeys = changesKeys(written, columns)
  const endsRules = table === 'entitlements' && 'deleted_at' in set && set['deleted_at'] !== null
  const before = beforeOf(tx, table, columns)
  const assigned = Object.entries({ ...sinceOf(tx, table, set, columns), ...set }).map(
    ([column, value], place) => tx`${place === 0 ? tx`` : tx`,`} ${tx(column)} = ${value}`,
  )
  const sameRow = tx.unsafe(written.key.map((column) => `and o.${column} = x.${column}`).join(' '))
  const own = before ? [tx`${tx(table)} o`] : []
  const sources = [...(from ? [from] : []), ...own].map((each, place) => tx`${place === 0 ? tx`from` : tx`,`} ${each}`)
  if (isFew) {
    // For these, the changes are recorded by one statement that has the rows as they were (record-changes.ts), and not
    // here.
    if (before || (table === 'accounts' && columns.includes('deleted_at')))
      throw new Error(`Changes of ${columns.join(', ')} of ${table} are not written as a few.`)
    const changed = await tx`
      update ${tx(table)} x set ${assigned} ${from ? tx`from ${from}` : tx``}
      where x.tenant_id = ${tenantId} and (${where})
      returning ${fewColumnsOf(tx, table)}`
    if (changed.length === 0) return { rows: [], count: 0 }
    const isRecorded =
      (table === 'grants' && columns.includes('ended_at')) || (table === 'users' && fieldsOf(columns)?.length !== 0)
    await Promise.all([
      ...(followsKeys ? [refreshFewKeys(tx, tenantId, table, changed)] : []),
      ...(isRecorded ? [recordFew(tx, tenantId, table, changed, { fields: fieldsOf(columns), isByRule })] : []),
      ...(endsRules ? [entitlementsDeleted.run(tx, tenantId, changed)] : []),
    ])
    return fewAnswered(changed, answer)
  }
  const found = await tx<(T & { written: number })[]>`
    with written as (
      update ${tx(table)} x set ${assigned}
      ${sources.length > 0 ? sources : tx``}
      where x.tenant_id = ${tenantId} and (${where}) ${before === null ? tx`` : tx`and o.tenant_id = ${tenantId} ${sameRow}`}
      returning ${columnsOf(tx, written)} ${before ?? tx``}
    )
    ${recordUpdated(tx, tenantId, table, { columns, fields: fieldsOf(columns), isByRule })}
    ${answered(tx, followsKeys || endsRules ? keysOf(written, answer) : answer)}`
  if (found.length === 0) return { rows: [], count: 0 }
  if (followsKeys) await refreshKeys(tx, tenantId, table, found)
  if (endsRules) await entitlementsDeleted.run(tx, tenantId, found)
  return counted(found)
}

/**
 * Since when a column has its value: someone who only since became an approver through it cannot approve a change from
 * before (four-eyes).
 */
function sinceOf(tx: Tx, table: Table, set: Changing['set'], columns: readonly string[]): Changing['set'] {
  const at = set['updated_at'] ?? tx`statement_timestamp()`
  return Object.fromEntries(
    Object.entries(sinceColumns[table] ?? {})
      .filter(([column]) => columns.includes(column))
      .map(([column, since]) => {
        const [before, isSince] = [tx.unsafe(`x.${column}`), tx.unsafe(`x.${since}`)]
        return [since, tx`case when ${before} is distinct from (${set[column] ?? null}) then ${at} else ${isSince} end`]
      }),
  )
}

/**
 * What rules need to know of a row as it was before. These columns are written by imports, one import of a tenant at a
 * time and none while its apps are being deleted, and by directories, which lock the row first: what the statement sees
 * is what it overwrites.
 */
function beforeOf(tx: Tx, table: Table, columns: readonly string[]): Fragment | null {
  if (table === 'users' && columns.includes('email')) return tx`, o.email as before`
  if (table === 'accounts' && columns.includes('user_id'))
    return tx`, o.user_id as before, o.deleted_at is not null as was_deleted`
  return null
}

const keysOf = ({ key }: Written, answer: Answer | undefined): Answer => ({
  ...Object.fromEntries(key.map((column) => [column, column])),
  ...answer,
})

const answered = (tx: Tx, answer: Answer | undefined): Fragment =>
  answer
    ? tx`select ${tx.unsafe(
        Object.entries(answer)
          .map(([name, column]) => `w.${column} as "${name}"`)
          .join(', '),
      )} from written w`
    : tx`select count(*)::int as written from written w`

function counted<T>(found: readonly (T & { written?: number })[]): WrittenRows<T> {
  const [first] = found
  return first?.written === undefined ? { rows: [...found], count: found.length } : { rows: [], count: first.written }
}

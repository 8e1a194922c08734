import { profilesAppId } from '#authority/profiles-app.ts'
import type { Fragment, Row, Tx } from '#kernel/sql.ts'
import type { Part } from '#kernel/statements.ts'
import { type Searched, type Table, tables } from '../tables.ts'

// A few rows, as requests write them, are written by plain statements of given values: each goes to one shard of a
// distributed database, in one round trip. A statement that writes in a CTE, or selects what it inserts, passes through
// the coordinator and all nodes there: 250 ms instead of 3, on a busy machine. For thousands of rows the single
// statement costs less.

/** What the statements after the write of a row need of it, as columns of RETURNING; `x` is the row. */
export const keptOf = (tx: Tx, table: Table): Fragment => {
  const { searched } = tables[table]
  return searched
    ? tx`, x.deleted_at is not null as "isDeleted",
        key_list(x.display_name, ${tx.unsafe(searched.others)}) as "searchKeys"`
    : tx``
}

const idOf = (table: Table, row: Row): string => row[tables[table].key.at(-1) as string] as string
const appOf = (row: Row): string => (row['app_id'] as string | undefined) ?? ''

const kindOf = ({ kind }: Searched, row: Row): string => (row['isDeleted'] ? `deleted_${kind}` : kind)

const keysOf = ({ keepsDeleted }: Searched, row: Row): string[] =>
  row['isDeleted'] && !keepsDeleted ? [] : (row['searchKeys'] as string[])

const joined = (tx: Tx, parts: readonly Fragment[]): Fragment[] =>
  parts.map((part, place) => tx`${place === 0 ? tx`` : tx`,`} ${part}`)

/** Inserts the keys of rows; if rows are not new, some keys may exist. */
export async function insertFewKeys(
  tx: Tx,
  tenantId: number,
  table: Table,
  rows: readonly Row[],
  { areNew }: { areNew: boolean },
): Promise<void> {
  const { searched } = tables[table]
  if (!searched) return
  const values = rows.flatMap((row) =>
    keysOf(searched, row).map(
      (key, place, keys) => tx`(${tenantId}::int, ${kindOf(searched, row)}, ${key}, ${idOf(table, row)}, ${appOf(row)},
        ${keys[place - 1] ?? ''})`,
    ),
  )
  if (values.length === 0) return
  await tx`
    insert into search_keys as t (tenant_id, kind, key, object_id, app_id, previous_key) values ${joined(tx, values)}
    ${
      areNew
        ? tx``
        : tx`on conflict (tenant_id, kind, key, object_id) do update set previous_key = excluded.previous_key
            where t.previous_key <> excluded.previous_key`
    }`
}

/** Updates the keys of rows that were changed. */
export async function refreshFewKeys(tx: Tx, tenantId: number, table: Table, rows: readonly Row[]): Promise<void> {
  const { searched } = tables[table]
  if (!searched) return
  const kinds = searched.keepsDeleted ? [searched.kind, `deleted_${searched.kind}`] : [searched.kind]
  await Promise.all([
    ...rows.map(
      (row) => tx`
        delete from search_keys where tenant_id = ${tenantId} and kind = any(${kinds}::text[])
          and object_id = ${idOf(table, row)}
          and (kind <> ${kindOf(searched, row)} or key <> all(${keysOf(searched, row)}::text[]))`,
    ),
    insertFewKeys(tx, tenantId, table, rows, { areNew: false }),
  ])
}

type Change = {
  kind: 'user' | 'account_new' | 'holding'
  app: string
  entitlement: string
  ids: string[]
}

/** As in record-changes.ts: one change for all rows that are recorded together. */
function changesOf(table: Table, rows: readonly Row[]): Change[] {
  if (table === 'users') {
    const ids = rows.map((row) => row['user_id'] as string)
    return [{ kind: 'user', app: '', entitlement: '', ids }]
  }
  if (table === 'accounts')
    return together(
      rows.filter((row) => row['user_id'] !== null),
      'account_new',
      'user_id',
    )
  return table === 'grants' ? together(rows, 'holding', 'account_id') : []
}

function together(rows: readonly Row[], kind: Change['kind'], id: string): Change[] {
  const entitlementOf = (row: Row): string => (kind === 'holding' ? (row['entitlement_id'] as string) : '')
  return [...Map.groupBy(rows, (row) => `${appOf(row)}/${entitlementOf(row)}`).values()].map((group) => {
    const [first] = group as [Row]
    const ids = [...new Set(group.map((row) => row[id] as string))]
    return { kind, app: appOf(first), entitlement: entitlementOf(first), ids }
  })
}

export type Recording = {
  /** The fields of users that may have changed; null is any. */
  fields: readonly string[] | null
  isByRule: boolean
}

/** Records, for rules, the changes of rows that were written. */
export async function recordFew(
  tx: Tx,
  tenantId: number,
  table: Table,
  rows: readonly Row[],
  { fields, isByRule }: Recording,
): Promise<void> {
  const values = changesOf(table, rows).map(
    ({ kind, app, entitlement, ids }) => tx`
      (${tenantId}::int, ${kind}, ${app}, ${entitlement}, ${ids}::text[], ${fields as string[] | null}::text[], ${isByRule})`,
  )
  if (values.length === 0) return
  await Promise.all([
    tx`
      insert into automation_changes (tenant_id, kind, app_id, entitlement_id, ids, fields, is_by_rule)
      values ${joined(tx, values)}`,
    table === 'grants' && recordFewOfProfiles(tx, tenantId, rows),
  ])
}

/** Records that somebody was enrolled in an access profile, or is no longer. */
async function recordFewOfProfiles(tx: Tx, tenantId: number, rows: readonly Row[]): Promise<void> {
  const ofProfiles = rows.filter((row) => appOf(row) === profilesAppId).map((row) => row['entitlement_id'] as string)
  if (ofProfiles.length === 0) return
  await tx`
    insert into profile_changes (tenant_id, profile_id)
    values ${joined(
      tx,
      [...new Set(ofProfiles)].map((id) => tx`(${tenantId}::int, ${id})`),
    )}`
}

/** Rows of values for an INSERT, as `(…), (…)`. */
export const valuesOf = (tx: Tx, rows: readonly (readonly Part[])[]): Fragment[] =>
  joined(
    tx,
    rows.map((row) => tx`(${row.map((value, place) => tx`${place === 0 ? tx`` : tx`,`} ${value}`)})`),
  )

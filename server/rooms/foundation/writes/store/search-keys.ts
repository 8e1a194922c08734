import type { Fragment, Row, Tx } from '#kernel/sql.ts'
import { type Searched, type Table, tables } from '../tables.ts'

const columns = 'tenant_id, kind, key, object_id, app_id, previous_key'
const idOf = (table: Table): string => tables[table].key.at(-1) as string
const appOf = (table: Table): string => (tables[table].key.includes('app_id') ? 'x.app_id' : `''`)

/** The keys of the rows that the statement has just inserted, as `written`. */
export const insertKeys = (
  tx: Tx,
  tenantId: number,
  table: Table,
  { kind, others, keepsDeleted }: Searched,
): Fragment =>
  tx`
    insert into search_keys (${tx.unsafe(columns)})
    select ${tenantId}::int, living_or_deleted(${kind}, x.deleted_at), k.key, x.${tx(idOf(table))},
      ${tx.unsafe(appOf(table))}, k.previous_key
    from written x, lateral keys_of(x.display_name, ${tx.unsafe(others)}) k
    ${keepsDeleted ? tx`` : tx`where x.deleted_at is null`}`

// PostgreSQL may keep a plan that it made for one row, and compare each row with the keys of each: of so few that takes no longer
// than making their keys. 8,000 at once took a minute.
const rowsPerStatement = 200

/**
 * Makes the keys of rows what the rows say. Only keys that differ are written. The caller's transaction has changed the rows,
 * so nobody else changes their keys before it ends.
 */
export async function refreshKeys(tx: Tx, tenantId: number, table: Table, rows: readonly Row[]): Promise<void> {
  const { key, searched } = tables[table]
  if (!searched) return
  const { kind, others, keepsDeleted } = searched
  const kinds = keepsDeleted ? [kind, `deleted_${kind}`] : [kind]
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const part = rows.slice(from, from + rowsPerStatement)
    const valuesOf = (column: string): string[] => [...new Set(part.map((row) => row[column] as string))]
    // An id is of one row only: the columns before it are said for the index.
    const isAmong = key.map((column) => tx`and x.${tx(column)} = any(${valuesOf(column)}::text[])`)
    const ids = valuesOf(idOf(table))
    // The ids are said of each table, so that none is read as a whole.
    await tx`
      with wanted as materialized (
        select living_or_deleted(${kind}, x.deleted_at) as kind, x.${tx(idOf(table))} as object_id,
          ${tx.unsafe(appOf(table))} as app_id, k.keys, k.previous_keys
        from ${tx(table)} x cross join lateral (
          select coalesce(array_agg(k.key), '{}') as keys, coalesce(array_agg(k.previous_key), '{}') as previous_keys
          from keys_of(x.display_name, ${tx.unsafe(others)}) k
          ${keepsDeleted ? tx`` : tx`where x.deleted_at is null`}) k
        where x.tenant_id = ${tenantId} ${isAmong}
      ),
      gone as (
        delete from search_keys s using wanted w
        where s.tenant_id = ${tenantId} and s.kind = any(${kinds}::text[]) and s.object_id = any(${ids}::text[])
          and s.object_id = w.object_id and (s.kind <> w.kind or s.key <> all(w.keys))
      )
      insert into search_keys as t (${tx.unsafe(columns)})
      select ${tenantId}::int, w.kind, k.key, w.object_id, w.app_id, k.previous_key
      from wanted w cross join lateral unnest(w.keys, w.previous_keys) as k (key, previous_key)
      where not exists (select 1 from search_keys s where s.tenant_id = ${tenantId} and s.kind = any(${kinds}::text[])
        and s.object_id = any(${ids}::text[]) and s.kind = w.kind and s.key = k.key and s.object_id = w.object_id
        and s.previous_key = k.previous_key)
      on conflict (tenant_id, kind, key, object_id) do update set previous_key = excluded.previous_key`
  }
}

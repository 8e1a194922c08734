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

// Writing this many ids takes about 5 ms of the event loop.
const rowsPerStatement = 5_000

/**
 * Updates the keys of rows. Only keys that differ are written. The caller's transaction has changed the rows, so no
 * other changes their keys before it ends.
 */
export async function refreshKeys(tx: Tx, tenantId: number, table: Table, rows: readonly Row[]): Promise<void> {
  const { key, searched } = tables[table]
  if (!searched) return
  const { kind, others, keepsDeleted } = searched
  const sameRow = tx.unsafe(key.map((column) => `x.${column} = i.${column}`).join(' and '))
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const part = rows.slice(from, from + rowsPerStatement)
    const ids = key.map(
      (column, place) => tx`${place === 0 ? tx`` : tx`,`} ${part.map((row) => row[column] as string)}::text[]`,
    )
    // The present and the new keys of an object, in arrays: the keys of each are found by its id, and compared with its
    // own only. With a join of rows, the planner could compare all with all, which it did if it knew little of the
    // table: 4,000 users took 40 s.
    await tx`
      with wanted as materialized (
        select living_or_deleted(${kind}, x.deleted_at) as kind, x.${tx(idOf(table))} as object_id,
          ${tx.unsafe(appOf(table))} as app_id, k.keys, k.previous_keys, h.had_kinds, h.had_keys, h.had_previous_keys
        from unnest(${ids}) as i (${tx.unsafe(key.join(', '))})
        join ${tx(table)} x on x.tenant_id = ${tenantId} and ${sameRow}
        cross join lateral (
          select coalesce(array_agg(k.key), '{}') as keys, coalesce(array_agg(k.previous_key), '{}') as previous_keys
          from keys_of(x.display_name, ${tx.unsafe(others)}) k
          ${keepsDeleted ? tx`` : tx`where x.deleted_at is null`}) k
        cross join lateral (
          select array_agg(s.kind) as had_kinds, array_agg(s.key) as had_keys, array_agg(s.previous_key) as had_previous_keys
          from search_keys s where s.tenant_id = ${tenantId} and s.object_id = x.${tx(idOf(table))}) h
      ),
      gone as (
        delete from search_keys s
        using wanted w cross join lateral unnest(w.had_kinds, w.had_keys) as h (kind, key)
        where s.tenant_id = ${tenantId} and s.kind = h.kind and s.key = h.key and s.object_id = w.object_id
          and (h.kind <> w.kind or h.key <> all(w.keys))
      )
      insert into search_keys as t (${tx.unsafe(columns)})
      select ${tenantId}::int, w.kind, k.key, w.object_id, w.app_id, k.previous_key
      from wanted w cross join lateral unnest(w.keys, w.previous_keys) as k (key, previous_key)
      where not exists (select 1 from unnest(w.had_kinds, w.had_keys, w.had_previous_keys) as h (kind, key, previous_key)
        where h.kind = w.kind and h.key = k.key and h.previous_key = k.previous_key)
      on conflict (tenant_id, kind, key, object_id) do update set previous_key = excluded.previous_key`
  }
}

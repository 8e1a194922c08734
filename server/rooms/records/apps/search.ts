import { idPattern } from '#kernel/ids.ts'
import type { Position } from '#kernel/pages.ts'

export const same = <T>(row: T): T => row

/** A query that is an id is looked up rather than searched for: no name is like one. Both it and `ids` must hold. */
export function idInQuery(given: string, ids: readonly string[]): { query: string; ids: readonly string[] } {
  const query = given.trim()
  if (!idPattern.test(query)) return { query, ids }
  return { query: '', ids: ids.length === 0 || ids.includes(query) ? [query] : [''] }
}

/** Where a row of a search stands: by its key and id where there was a text to search for, else by these columns. */
export const positionOf =
  <N extends string>(columns: readonly N[]) =>
  (row: { readonly [K in N | 'id']: string } & { readonly key?: string }): Position =>
    row.key === undefined ? columns.map((column) => row[column]) : [row.key, row.id]

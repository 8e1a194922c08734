import { idPattern } from '#kernel/ids.ts'
import type { Position } from '#kernel/pages.ts'

export const same = <T>(row: T): T => row

/** A query that is an id is looked up rather than searched for: no name looks like one. It is combined with `ids`. */
export function idInQuery(given: string, ids: readonly string[]): { query: string; ids: readonly string[] } {
  const query = given.trim()
  if (!idPattern.test(query)) return { query, ids }
  return { query: '', ids: ids.length === 0 || ids.includes(query) ? [query] : [''] }
}

/** The position of a row in a search: its key and id if there was a text to search for, otherwise these columns. */
export const positionOf =
  <N extends string>(columns: readonly N[]) =>
  (row: { readonly [K in N | 'id']: string } & { readonly key?: string }): Position =>
    row.key === undefined ? columns.map((column) => row[column]) : [row.key, row.id]

import type { Cell } from '#kernel/csv.ts'

/** A JSON object of a reply. */
export type Json = { readonly [name: string]: unknown }

/** What the cells of a row are written from, besides the item: expanded objects, and names that are not in the reply. */
export type Beside = {
  /** The object that a path of a view refers to, as in `$.expanded[0]`. */
  neighbour(path: unknown): Json | null
  userName(id: unknown): string
  riskLevel(id: unknown): string
}

export type Column = { readonly header: string; readonly value: (item: Json, beside: Beside) => Cell }

/** A list that can be counted and exported: an existing operation, with the same filters, callers and visible rows. */
export type List = {
  /** As in `lists.v1.ListCounts.Users`. */
  readonly id: string
  /** As in /api/v1/lists/users/count. */
  readonly path: `/${string}`
  /** The name in the file and in the event. */
  readonly name: string
  /** The operation that lists it. */
  readonly operation: string
  /** The expansions that its columns need. */
  readonly expand: readonly string[]
  readonly columns: readonly Column[]
}

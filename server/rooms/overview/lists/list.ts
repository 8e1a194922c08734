import type { Cell } from '#kernel/csv.ts'

/** JSON as a reply has it. */
export type Json = { readonly [name: string]: unknown }

/** What the cells of a page are written from, besides the item: its neighbours, and names that no reply has. */
export type Beside = {
  /** What a view points at, as `$.expanded[0]`. */
  neighbour(path: unknown): Json | null
  userName(id: unknown): string
  riskLevel(id: unknown): string
}

export type Column = { readonly header: string; readonly value: (item: Json, beside: Beside) => Cell }

/** A list whose total is told and that is exported: one that there is already, with the same filters, callers and sight. */
export type List = {
  /** As in `lists.v1.ListCounts.Users`. */
  readonly id: string
  /** As in /api/v1/lists/users/count. */
  readonly path: `/${string}`
  /** What the file is called, and what the event says. */
  readonly name: string
  /** The operation that lists it. */
  readonly operation: string
  /** The neighbours that its columns need. */
  readonly expand: readonly string[]
  readonly columns: readonly Column[]
}

import { Refusal } from '#kernel/refusals.ts'
import type { Fragment, Reads, Tx } from '#kernel/sql.ts'

/** The columns about the undo of something that was carried out: who undid it, and how much of it was restored. */
export type Undone = { undoneBy: string; undoneAt: Date | null; restoredCount: number; leftCount: number }
export const notUndone: Undone = { undoneBy: '', undoneAt: null, restoredCount: 0, leftCount: 0 }

export const undoneColumns = (db: Reads): Fragment => db`
  undone_by as "undoneBy", undone_at as "undoneAt", restored_count as "restoredCount", left_count as "leftCount"`

export type Undoing = { by: string; at: Date; restored: number; left: number }

export const undoneSet = (tx: Tx, { by, at, restored, left }: Undoing): Fragment => tx`
  undone_by = ${by}, undone_at = ${at}, restored_count = ${restored}, left_count = ${left}`

export const notUndoable = (why: string, metadata?: { readonly [name: string]: string }): Refusal =>
  new Refusal('RUN_NOT_UNDOABLE', why, metadata && { metadata })

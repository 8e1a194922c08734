import type { KindName } from './kinds.ts'
import type { Format } from './reading/reading.ts'

export type KindCounts = { kind: KindName; added: number; changed: number; unchanged: number; removed: number }

/** An import that was done. */
export type Import = {
  id: string
  format: Format
  isFull: boolean
  isForced: boolean
  /** Who imported it; empty for the operator's own command. */
  userId: string
  userName: string
  lineCount: number
  byteCount: number
  counts: readonly KindCounts[]
  /** Fields of the file that no kind has: read over. */
  ignoredFields: readonly string[]
  /** The app of a connector's file; empty for others. */
  appId: string
  /** What was left out of a connector's file, or is not shown as it is there: in words. */
  notes: readonly string[]
  startedAt: Date
  finishedAt: Date
}

import type { KindName } from './kinds.ts'
import type { Format } from './reading/reading.ts'

export type KindCounts = { kind: KindName; added: number; changed: number; unchanged: number; removed: number }

/** A completed import. */
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
  /** Fields of the file that no kind has: they were ignored. */
  ignoredFields: readonly string[]
  /** The app of a connector's file; empty for others. */
  appId: string
  /** What was left out of a connector's file, or is not shown as it is there, as sentences. */
  notes: readonly string[]
  startedAt: Date
  finishedAt: Date
}

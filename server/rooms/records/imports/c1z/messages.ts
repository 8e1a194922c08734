import type { UnpackLimits } from '#rooms/records/baton/index.ts'
import type { KindName } from '../kinds.ts'

/** What the thread is given: the file, and a place beside it for its database. */
export type ToReader = { file: string; database: string; limits: UnpackLimits }

/** What was left out of a file, or cannot be shown as it is. */
export type Leftovers = { nestedGrants: number; grantsToNobody: number; profiles: number; objects: number }

/** `source`, `object` and `kept_grant` are of connectors' files only. */
export type StagedTable = KindName | 'source' | 'object' | 'kept_grant'

/** Rows of COPY; the thread goes on once it is told that they were taken. */
export type FromReader =
  | { is: 'rows'; table: StagedTable; text: string; count: number; records: number }
  | { is: 'done'; records: number; left: Leftovers }
  | { is: 'refused'; message: string }

export const noSpace = 'There is not enough disk space in the temporary folder to read the file.'

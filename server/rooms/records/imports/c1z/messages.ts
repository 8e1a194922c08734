import type { UnpackLimits } from '#rooms/records/baton/index.ts'
import type { KindName } from '../kinds.ts'
import type { KnownPart } from './known.ts'

/** The input of the thread: the file, a place next to it for its database, and whether it will be sent the known grants. */
export type ToReader = { file: string; database: string; limits: UnpackLimits; isTold: boolean }

/** Messages to the thread: the known grants, piece by piece, and that rows were taken. */
export type ToReaderMessage = { is: 'known'; part: KnownPart; bytes: Uint8Array } | { is: 'allKnown' } | { is: 'taken' }

/** Counts of what was left out of a file, or cannot be shown as it is. */
export type Leftovers = { nestedGrants: number; grantsToNobody: number; profiles: number; objects: number }

/** Those that are not kinds occur in connectors' files only. `untold` and `other` are known grants: see known.ts. */
export type StagedTable = KindName | 'source' | 'object' | 'kept_grant' | 'untold' | 'other'

/** Rows of COPY; the thread continues once it receives the message that they were taken. */
export type FromReader =
  | { is: 'rows'; table: StagedTable; text: string; count: number; records: number }
  | { is: 'done'; records: number; left: Leftovers; knownGrants: number }
  | { is: 'refused'; message: string }

export const noSpace = 'There is not enough disk space in the temporary folder to read the file.'

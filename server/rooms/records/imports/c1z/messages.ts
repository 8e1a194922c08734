import type { UnpackLimits } from '#rooms/records/baton/index.ts'
import type { KindName } from '../kinds.ts'
import type { KnownPart } from './known.ts'

/** What the thread is given: the file, a place beside it for its database, and whether it is told what is known. */
export type ToReader = { file: string; database: string; limits: UnpackLimits; isTold: boolean }

/** What the thread is told: what is known, piece by piece, and that rows were taken. */
export type TellReader = { is: 'known'; part: KnownPart; bytes: Uint8Array } | { is: 'allKnown' } | { is: 'taken' }

/** What was left out of a file, or cannot be shown as it is. */
export type Leftovers = { nestedGrants: number; grantsToNobody: number; profiles: number; objects: number }

/** Those beside the kinds are of connectors' files only. `untold` and `other` are grants that are known: see known.ts. */
export type StagedTable = KindName | 'source' | 'object' | 'kept_grant' | 'untold' | 'other'

/** Rows of COPY; the thread goes on once it is told that they were taken. */
export type FromReader =
  | { is: 'rows'; table: StagedTable; text: string; count: number; records: number }
  | { is: 'done'; records: number; left: Leftovers; knownGrants: number }
  | { is: 'refused'; message: string }

export const noSpace = 'There is not enough disk space in the temporary folder to read the file.'

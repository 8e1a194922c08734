import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { KindName } from './kinds.ts'
import type { Reading, ReadSoFar } from './reading/reading.ts'
import type { InDoubt } from './store/connector-files.ts'
import type { Origin } from './store/origin.ts'

export type Wanted = Omit<Reading, 'now'> & {
  /** Whatever is not in the file is removed. */
  isFull: boolean
  /** Everything is carried out, and rolled back. */
  isDryRun: boolean
  /** Also if it would remove unusually much. */
  isForced: boolean
  /** The app of a connector's file: its id, or its external id. One that does not exist is created. */
  app?: string | null
  /** Whether it has to be the id of an existing app, so that none is created. */
  isAppRequired?: boolean
  /** The connector whose sync it is. Without one, the records came in a file, and those of connectors stay unchanged. */
  connectorId?: string
  /** For a connector's file: finds what changed in the app since the connector began to read it. */
  findInDoubt?: (tx: Tx) => Promise<InDoubt>
  /** For a connector's file: finds the accounts that the connector created for someone. */
  findCreated?: (tx: Tx) => Promise<readonly string[]>
  /** Records that are already stored as they are in the file are staged and resolved too: same result, but slower. */
  isThorough?: boolean
}

/** The progress: lines read, or the kind that is being written. */
export type Progress = ReadSoFar & { phase: 'read' | 'check' | KindName | 'remove'; linesWritten: number }

export type Importing = {
  tx: Tx
  world: World
  tenantId: number
  id: string
  wanted: Wanted
  origin: Origin
  progress(progress: Progress): void
}

// 11 of the 27 characters of an id: see store/resolving.ts.
export const idPrefixOf = ({ id }: Importing): string => id.slice(0, 11)

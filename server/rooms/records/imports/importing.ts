import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { KindName } from './kinds.ts'
import type { Reading, ReadSoFar } from './reading/reading.ts'
import type { InDoubt } from './store/connector-files.ts'
import type { Origin } from './store/origin.ts'

export type Wanted = Omit<Reading, 'now'> & {
  /** What is not in the file is removed. */
  isFull: boolean
  /** Everything is done as if, and undone. */
  isDryRun: boolean
  /** Also when much would be removed. */
  isForced: boolean
  /** The app of a connector's file: our id of it, or its external id. One that is not there is made. */
  app?: string | null
  /** Where it is our id, and none is to be made for it. */
  isAppRequired?: boolean
  /** The connector whose sync it is. Without, the records came by a file, and connectors' own are left alone. */
  connectorId?: string
  /** Of a connector's file: what changed in the app since the connector began to read it. */
  findInDoubt?: (tx: Tx) => Promise<InDoubt>
  /** Of a connector's file: the accounts that the connector created for someone. */
  findCreated?: (tx: Tx) => Promise<readonly string[]>
  /** Also what the record has as the file tells it is staged and resolved: the same comes out, later. */
  isThorough?: boolean
}

/** How far it is: lines read, or the kind that is being written. */
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

import type { Reads } from '#kernel/sql.ts'
import { beginning, listSealed, type Place, type SealedRow } from '../store.ts'

export const rowsAtOnce = 1000

/** The greatest position in the database. */
export const positionMax = 2_147_483_647

/** Events that have been read. */
export function rowsIn(rows: readonly SealedRow[]): Rows {
  let next = 0
  return {
    async before(sealNumber) {
      const row = rows[next]
      if (!row || row.sealNumber >= sealNumber) return null
      next++
      return row
    },
    place: () => beginning,
  }
}

export type Rows = {
  /** The next event before a link, or null. */
  before(sealNumber: number): Promise<SealedRow | null>
  /** The place of the last event that was taken. */
  place(): Place
}

/** The events of the chain one after the other, read in batches. */
export function rowsAfter(db: Reads, tenantId: number, after: Place, upTo: number, onRead: () => void): Rows {
  let place = after
  let rows: SealedRow[] = []
  let next = 0
  let isLast = false
  const read = async (): Promise<void> => {
    onRead()
    rows = await listSealed(db, tenantId, place, upTo, rowsAtOnce)
    next = 0
    isLast = rows.length < rowsAtOnce
  }
  return {
    async before(sealNumber) {
      if (next === rows.length && !isLast) await read()
      const row = rows[next]
      if (!row || row.sealNumber >= sealNumber) return null
      next++
      place = [row.sealNumber, row.position]
      return row
    },
    place: () => place,
  }
}

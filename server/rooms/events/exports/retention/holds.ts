import type { Reads } from '#kernel/sql.ts'
import { findOldestCursor } from '#rooms/events/subscriptions/index.ts'

/** What keeps events in the database: up to which link they may leave, and why not further. */
export type Hold = { upTo: number; why: string }
/** Of a room that reads old events: up to which link it needs none any longer. Null where it holds nothing. */
export type HoldBy = (db: Reads, tenantId: number) => Promise<Hold | null>

/** Also one that is paused: it goes on where it was, and misses nothing. */
const bySubscriptions: HoldBy = async (db, tenantId) => {
  const oldest = await findOldestCursor(db, tenantId)
  if (!oldest) return null
  // Of the link of the cursor some events may be left.
  const upTo = oldest.sealNumber - 1
  return { upTo, why: `The subscription ${oldest.displayName} has delivered events up to link ${upTo}.` }
}

/** The rooms above that read old events, besides the exports themselves. */
export const roomsThatHold: readonly HoldBy[] = [bySubscriptions]

import type { Reads } from '#kernel/sql.ts'
import { findOldestCursor } from '#rooms/events/subscriptions/index.ts'

/** What keeps events in the database: up to which link they may be removed, and why not further. */
export type Hold = { upTo: number; why: string }
/** For a room that reads old events: up to which link it no longer needs them. Null if it needs none. */
export type HoldBy = (db: Reads, tenantId: number) => Promise<Hold | null>

/** Includes paused subscriptions: they continue where they were, and miss nothing. */
const bySubscriptions: HoldBy = async (db, tenantId) => {
  const oldest = await findOldestCursor(db, tenantId)
  if (!oldest) return null
  // Some events of the cursor's link may not be delivered yet.
  const upTo = oldest.sealNumber - 1
  return { upTo, why: `The subscription ${oldest.displayName} has delivered events up to link ${upTo}.` }
}

/** The rooms above that read old events, in addition to the exports themselves. */
export const roomsThatHold: readonly HoldBy[] = [bySubscriptions]

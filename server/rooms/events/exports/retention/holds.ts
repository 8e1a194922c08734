import type { Reads } from '#kernel/sql.ts'

/** What keeps events in the database: up to which link they may leave, and why not further. */
export type Hold = { upTo: number; why: string }
/** Of a room that reads old events: up to which link it needs none any longer. Null where it holds nothing. */
export type HoldBy = (db: Reads, tenantId: number) => Promise<Hold | null>

/** The rooms above that read old events, besides the exports themselves. */
export const roomsThatHold: readonly HoldBy[] = []

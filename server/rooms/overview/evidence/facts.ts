import type { GrantSource, HoldingRef } from '#rooms/records/grants/index.ts'

/** A row of the history of a grant. */
export type HistoryRow = HoldingRef & {
  id: string
  source: GrantSource
  grantedBy: string
  grantedAt: Date
  beganAt: Date
  expiresAt: Date | null
  endedAt: Date | null
  endedWhy: 'revoked' | 'expired' | 'restated' | null
  reason: string
}

/** What a connector was to do in its app for one holding. */
export type Carried = HoldingRef & {
  id: string
  connectorId: string
  connectorName: string
  kind: 'grant' | 'revoke'
  state: string
  createdAt: Date
  endedAt: Date | null
}

/** An import, and the connector whose sync it was; a file that someone imported has none. */
export type Read = {
  importId: string
  connectorId: string
  connectorName: string
  userId: string
  beganAt: Date
  finishedAt: Date
}

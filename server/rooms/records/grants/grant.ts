export const grantSources = ['manual', 'import', 'rule', 'request', 'profile', 'directory'] as const
export type GrantSource = (typeof grantSources)[number]

/** How an entitlement is told from all others. */
export type EntitlementRef = { appId: string; id: string }

/** Who holds what: the account and the entitlement are of one app. */
export type HoldingRef = { appId: string; entitlementId: string; accountId: string }

/** An account holds an entitlement, for one reason or for several. */
export type Holding = HoldingRef & {
  /** Since the earliest of the reasons. */
  grantedAt: Date
  /** Until the last of the reasons is over; null is for good. */
  expiresAt: Date | null
}

/** One row of the record, as it was known at the moment that is asked about. */
export type Reason = {
  accountId: string
  source: GrantSource
  grantedBy: string
  grantedAt: Date
  beganAt: Date
  expiresAt: Date | null
  /** Why it was granted, as was said; empty where nothing was. */
  reason: string
  /** Null where it is held at that moment. */
  endedAt: Date | null
}

/** The moment that is asked about: now, or one that is past. */
export type Moment = { at: Date; isNow: boolean }

import type { By } from '#authority/proof.ts'

/** Who grants and revokes: callers whom a rule permits it, and those who record what others decided. */
export type Granting = By<Deciders | Correctors | 'task machine' | 'service' | 'connector' | 'operator'>
type Deciders = 'entitlement.give' | 'grants.bulk-change' | 'access-removals.run' | 'entitlement.change-rule'
type Correctors = 'drift.resolve' | 'app.change-provisioning-tasks' | 'connector.edit' | 'connectors.change'

export const grantSources = ['manual', 'import', 'rule', 'request', 'profile', 'directory'] as const
export type GrantSource = (typeof grantSources)[number]

/** What identifies an entitlement among all others. */
export type EntitlementRef = { appId: string; id: string }

/** Who holds what: the account and the entitlement belong to one app. */
export type HoldingRef = { appId: string; entitlementId: string; accountId: string }

/** An account holds an entitlement, for one reason or for several. */
export type Holding = HoldingRef & {
  /** Since the earliest of the reasons. */
  grantedAt: Date
  /** Until the last of the reasons ends; null if one does not expire. */
  expiresAt: Date | null
}

/** One row of the history, as it was known at the requested moment. */
export type Reason = {
  accountId: string
  source: GrantSource
  grantedBy: string
  grantedAt: Date
  beganAt: Date
  expiresAt: Date | null
  /** Why it was granted, as it was entered; empty if no reason was. */
  reason: string
  /** Null if it is held at that moment. */
  endedAt: Date | null
}

/** The requested moment: now, or one in the past. */
export type Moment = { at: Date; isNow: boolean }

import type { GrantSource } from '#rooms/records/grants/index.ts'

export const driftKinds = ['unexplained', 'missing'] as const
export type DriftKind = (typeof driftKinds)[number]

export const remedies = ['keep', 'revoke', 'remove', 'provision'] as const
export type Remedy = (typeof remedies)[number]

/** An account and an entitlement for which the app and the grants differ. */
export type Drift = {
  appId: string
  entitlementId: string
  accountId: string
  kind: DriftKind
  foundAt: Date
  /** The sources of its grants. */
  sources: readonly GrantSource[]
  /** A task or a connector is processing it, or has done so since the app was last compared. */
  isUnderWay: boolean
  appName: string
  entitlementName: string
  accountName: string
  userId: string
  userName: string
  /** Whether the person can be granted access; orphan accounts can. */
  isUserAble: boolean
}

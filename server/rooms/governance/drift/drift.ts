import type { GrantSource } from '#rooms/records/grants/index.ts'

export const driftKinds = ['unexplained', 'missing'] as const
export type DriftKind = (typeof driftKinds)[number]

/** What can be done about it, by kind. */
export const remedies = ['keep', 'revoke', 'remove'] as const
export type Remedy = (typeof remedies)[number]
export const remediesOf: { readonly [K in DriftKind]: readonly Remedy[] } = {
  unexplained: ['keep', 'revoke'],
  missing: ['remove'],
}

/** An account and an entitlement on which the app and the record differ. */
export type Drift = {
  appId: string
  entitlementId: string
  accountId: string
  kind: DriftKind
  foundAt: Date
  /** Why it is recorded. */
  sources: readonly GrantSource[]
  appName: string
  entitlementName: string
  accountName: string
  userId: string
  userName: string
}

/** The sources whose reasons a person may remove; a rule or an access profile would only give it again. */
export const removable: readonly GrantSource[] = ['manual', 'request']

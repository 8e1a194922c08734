export const giverKinds = ['user', 'import', 'rule_run', 'request', 'profile', 'removal'] as const
export type GiverKind = (typeof giverKinds)[number]

/** Who or what granted access or ended it. */
export type Giver = {
  kind: GiverKind
  id: string
  name: string
  /** For a request: its number. */
  number: number
  /** For a run: the entitlement of its rule. For a removal: whose access it ended. */
  appId: string
  entitlementId: string
  userId: string
}

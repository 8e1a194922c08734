/** By what an account and a user are known to be the same: an expression of each. */
export type MatchCase = readonly [ofAccount: string, ofUser: string]

/** An app whose accounts are people: of an identity provider that sends its users and groups by SCIM, or any other. */
export type Directory = {
  appId: string
  displayName: string
  /** Fed by SCIM, or by the imports and connectors of an app. */
  kind: 'scim' | 'app'
  /** The resource type of its groups; empty where it has none. */
  groupTypeId: string
  /** Which accounts are people: an expression; empty is all of them. */
  accountFilter: string
  matchCases: readonly MatchCase[]
  rank: number
  ranks: { readonly [attribute: string]: number }
  followedAt: Date | null
  linksExistingUsers: boolean
  /** Since when deactivations wait to be confirmed; null where none does. */
  heldSince: Date | null
  countedFrom: Date
  /** What is being done about those who wait; null where nothing is. */
  heldDecision: HeldDecision | null
  lastRequestAt: Date | null
  lastErrorAt: Date | null
  lastError: string
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

/** Those whose deactivation was held until then are disabled, or stay. */
export type HeldDecision = { isConfirmed: boolean; until: string }

export type DirectoryToken = {
  id: string
  appId: string
  createdBy: string
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
}

export type Counts = { users: number; activeUsers: number; heldUsers: number; groups: number }

/** The keys by which an account and a user are the same person: an expression for each. */
export type MatchCase = readonly [ofAccount: string, ofUser: string]

/** An app whose accounts become users: of an identity provider that sends its users and groups by SCIM, or any other. */
export type Directory = {
  appId: string
  displayName: string
  /** Whether accounts come by SCIM, or by the imports and connectors of an app. */
  kind: 'scim' | 'app'
  /** The resource type of its groups; empty if it has none. */
  groupTypeId: string
  /** Which accounts are people: an expression; empty for all of them. */
  accountFilter: string
  matchCases: readonly MatchCase[]
  rank: number
  ranks: { readonly [attribute: string]: number }
  followedAt: Date | null
  linksExistingUsers: boolean
  /** Since when deactivations wait for confirmation; null if none does. */
  heldSince: Date | null
  countedFrom: Date
  /** The decision that is being applied to held deactivations; null if none is. */
  heldDecision: HeldDecision | null
  lastRequestAt: Date | null
  lastErrorAt: Date | null
  lastError: string
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

/** Users whose deactivation was held before that time are disabled, or stay enabled. */
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

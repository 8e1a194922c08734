/** An identity provider that sends its users and groups by SCIM: an app, whose accounts are its users. */
export type Directory = {
  appId: string
  displayName: string
  groupTypeId: string
  linksExistingUsers: boolean
  /** Since when deactivations wait to be confirmed; null where none does. */
  heldSince: Date | null
  countedFrom: Date
  lastRequestAt: Date | null
  lastErrorAt: Date | null
  lastError: string
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

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

/** A SCIM group, as the directory has it. */
export type DirectoryGroup = {
  /** The id of the entitlement. */
  id: string
  resourceId: string
  displayName: string
  externalId: string | null
  version: number
  createdAt: Date
  updatedAt: Date
}

export type Member = { groupId: string; id: string; displayName?: string }

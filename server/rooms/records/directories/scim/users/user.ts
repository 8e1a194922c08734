import type { Resource } from '../../resource.ts'

/** A SCIM user, as the directory has it. */
export type DirectoryUser = {
  /** The id of the account. */
  id: string
  userId: string
  userName: string
  resource: Resource
  isActive: boolean
  version: number
  isSource: boolean
  isHeld: boolean
  /** The user who is their manager; empty if there is none. */
  managerId: string
  deactivatedAt: Date | null
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/** An account's membership in a group. */
export type Membership = { accountId: string; id: string; displayName: string }

/** What an account of a directory provides about a person. Empty if it provides no value. */
export type Said = {
  displayName: string
  email: string
  emails: readonly string[]
  username: string
  employeeIds: readonly string[]
  department: string
  jobTitle: string
  employmentType: string
  employmentStatus: string
  /** The manager, by an id, a user name or an email address in the same directory. */
  manager: string
  profile: { readonly [name: string]: string | number | boolean }
}

/** Attributes with a separate source. Keys of the profile are `profile.NAME`. */
export const attributes = [
  'displayName',
  'email',
  'username',
  'employeeIds',
  'department',
  'jobTitle',
  'employmentType',
  'employmentStatus',
  'manager',
  'status',
] as const
export type Attribute = (typeof attributes)[number]

/** The directory and the account that an attribute comes from, and since when. */
export type Source = readonly [appId: string, accountId: string, since: string]
export type Sources = { readonly [attribute: string]: Source }

/** An account of a person in a directory, with the values that it provides. */
export type Link = {
  appId: string
  accountId: string
  userId: string
  said: Said
  /** The user identified as the manager; empty if there is none. */
  managerId: string
  isActive: boolean
  isSource: boolean
  isHeld: boolean
  /** Deleted in the directory, while the deletion is held: it no longer provides values. */
  isDeleted: boolean
  deactivatedAt: Date | null
  createdAt: Date
  order: Order
}

/** The precedence of a directory. Lower ranks come first; of equal ones, the older directory. */
export type Order = { rank: number; ranks: { readonly [attribute: string]: number }; since: Date }

/** What an account of a directory says of a person. Empty is: it says nothing. */
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
  /** The manager, by an id, a user name or an address in the same directory. */
  manager: string
  profile: { readonly [name: string]: string | number | boolean }
}

/** Attributes with a source of their own. Keys of the profile are `profile.NAME`. */
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

/** From which account of which directory an attribute is, and since when. */
export type Source = readonly [appId: string, accountId: string, since: string]
export type Sources = { readonly [attribute: string]: Source }

/** An account of a person in a directory, with what it says of them. */
export type Link = {
  appId: string
  accountId: string
  userId: string
  said: Said
  /** The user whom it means by the manager; empty where there is none. */
  managerId: string
  isActive: boolean
  isSource: boolean
  isHeld: boolean
  /** Deleted in the directory, and held: it says nothing any longer. */
  isDeleted: boolean
  deactivatedAt: Date | null
  createdAt: Date
  order: Order
}

/** The place of a directory among the others. Smaller comes first; of equal ones the older. */
export type Order = { rank: number; ranks: { readonly [attribute: string]: number }; since: Date }

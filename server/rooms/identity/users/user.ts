import type { Sources, ToldSources } from './sources.ts'

export const userTypes = [
  'USER_TYPE_UNSPECIFIED',
  'USER_TYPE_SYSTEM',
  'USER_TYPE_HUMAN',
  'USER_TYPE_SERVICE',
  'USER_TYPE_AGENT',
] as const
export const userOrigins = [
  'USER_ORIGIN_UNSPECIFIED',
  'USER_ORIGIN_DIRECTORY',
  'USER_ORIGIN_LOCAL',
  'USER_ORIGIN_SYSTEM',
] as const
export const userStatuses = ['UNKNOWN', 'ENABLED', 'DISABLED', 'DELETED'] as const
export type UserStatus = (typeof userStatuses)[number]

/** A service principal: an identity for a program, created here and not by a directory or an import. */
export const isPrincipal = ({ type, origin }: Pick<UserRow, 'type' | 'origin'>): boolean =>
  type === 'USER_TYPE_SERVICE' && origin === 'USER_ORIGIN_LOCAL'

/** A person or a service, as the record has it at the moment. */
export type User = UserRow & ToldSources

export type UserRow = {
  id: string
  type: (typeof userTypes)[number]
  origin: (typeof userOrigins)[number]
  status: UserStatus
  directoryStatus: UserStatus
  displayName: string
  email: string
  emails: string[]
  username: string
  usernames: string[]
  employeeIds: string[]
  department: string
  jobTitle: string
  employmentType: string
  employmentStatus: string
  managerIds: string[]
  roleIds: string[]
  /** Who answers for them now; empty where nobody does. */
  delegatedUserId: string
  profile: { [key: string]: unknown }
  /** From which account of which directory each attribute is, and since when. */
  sources: Sources
  /** The directory that disabled them; empty where none did. */
  disabledBy: string
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/** Someone else answers for a user, for a time. */
export type Delegation = {
  userId: string
  delegatedUserId: string
  startAt: Date | null
  expirationAt: Date | null
  /** The user who named them; empty where that is not known. */
  namedBy: string
  createdAt: Date
  updatedAt: Date
}

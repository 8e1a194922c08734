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

/** A person or a service, as recorded at present. */
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
  /** Their delegate now; empty if there is none. */
  delegatedUserId: string
  profile: { [key: string]: unknown }
  /** The account and the directory that each attribute comes from, and since when. */
  sources: Sources
  /** The directory that disabled them; empty if none did. */
  disabledBy: string
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/** Someone else who acts for a user, for a time. */
export type Delegation = {
  userId: string
  delegatedUserId: string
  startAt: Date | null
  expirationAt: Date | null
  /** The user who set the delegate; empty if that is not known. */
  namedBy: string
  createdAt: Date
  updatedAt: Date
}

export const accountTypes = [
  'APP_USER_TYPE_UNSPECIFIED',
  'APP_USER_TYPE_USER',
  'APP_USER_TYPE_SERVICE_ACCOUNT',
  'APP_USER_TYPE_SYSTEM_ACCOUNT',
] as const
export type AccountType = (typeof accountTypes)[number]
export const accountStatuses = ['STATUS_UNSPECIFIED', 'STATUS_ENABLED', 'STATUS_DISABLED', 'STATUS_DELETED'] as const
export type AccountStatus = (typeof accountStatuses)[number]

/** What identifies an account among all others. */
export type AccountRef = { appId: string; id: string }

/** An account in one app, in its current state. */
export type Account = AccountRef & {
  /** The user that it belongs to; empty if it is matched to none. */
  identityUserId: string
  appUserType: AccountType
  status: AccountStatus
  displayName: string
  email: string
  emails: string[]
  username: string
  usernames: string[]
  employeeIds: string[]
  profile: { [key: string]: unknown }
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
  isExternal: boolean
}

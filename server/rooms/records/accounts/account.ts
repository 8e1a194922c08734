export const accountTypes = [
  'APP_USER_TYPE_UNSPECIFIED',
  'APP_USER_TYPE_USER',
  'APP_USER_TYPE_SERVICE_ACCOUNT',
  'APP_USER_TYPE_SYSTEM_ACCOUNT',
] as const
export type AccountType = (typeof accountTypes)[number]
export const accountStatuses = ['STATUS_UNSPECIFIED', 'STATUS_ENABLED', 'STATUS_DISABLED', 'STATUS_DELETED'] as const
export type AccountStatus = (typeof accountStatuses)[number]

/** How one account is told from all others. */
export type AccountRef = { appId: string; id: string }

/** An account in one app, as the record has it at the moment. */
export type Account = AccountRef & {
  /** Whose it is; empty where it was matched to nobody. */
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

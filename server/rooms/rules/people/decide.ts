import type { Said } from '#rooms/records/directories/index.ts'

/** An account of a directory, with its link if it has one. */
export type DirectoryAccount = {
  id: string
  externalId: string | null
  type: string
  status: string
  displayName: string
  email: string
  emails: string[]
  username: string
  usernames: string[]
  employeeIds: string[]
  profile: { readonly [name: string]: unknown }
  userId: string | null
  updatedAt: Date
  isGone: boolean
  /** The user that it was matched with before; null if none. */
  linkUserId: string | null
  isLinked: boolean
  matchedBy: string
}

/** Names of profile keys, in lower case and without separators, that are attributes of a person. */
const attributeOf: {
  readonly [name: string]: 'department' | 'jobTitle' | 'employmentType' | 'employmentStatus' | 'manager'
} = {
  department: 'department',
  departmentname: 'department',
  title: 'jobTitle',
  jobtitle: 'jobTitle',
  employmenttype: 'employmentType',
  employeetype: 'employmentType',
  usertype: 'employmentType',
  employmentstatus: 'employmentStatus',
  manager: 'manager',
  managerid: 'manager',
  manageremail: 'manager',
  manageremployeeid: 'manager',
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** The values that an account provides about its person. Of the profile only texts, numbers and booleans are used. */
export function saidOfAccount(account: DirectoryAccount): Said {
  const said = { department: '', jobTitle: '', employmentType: '', employmentStatus: '', manager: '' }
  const profile: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(account.profile)) {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue
    const attribute = attributeOf[plain(name)]
    if (attribute) {
      if (said[attribute] === '') said[attribute] = String(value).trim()
    } else if (value !== '') profile[name] = value
  }
  const email = account.email || (account.emails[0] ?? '')
  return {
    displayName: account.displayName || account.username || email,
    email,
    emails: unique([email, ...account.emails]),
    username: account.username || (account.usernames[0] ?? ''),
    employeeIds: account.employeeIds,
    ...said,
    profile,
  }
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)].filter((each) => each !== '')

/** The names by which other accounts may refer to it as a manager, in lower case. */
export const tracesOf = (account: DirectoryAccount): string[] =>
  unique(
    [account.email, ...account.emails, account.username, ...account.usernames, ...account.employeeIds].map((each) =>
      each.toLowerCase(),
    ),
  )

export const isActiveAccount = ({ status }: DirectoryAccount): boolean => status !== 'STATUS_DISABLED'

/** Accounts of machines do not belong to people. */
export const isOfPerson = ({ type, isGone }: DirectoryAccount): boolean =>
  !isGone && type !== 'APP_USER_TYPE_SERVICE_ACCOUNT' && type !== 'APP_USER_TYPE_SYSTEM_ACCOUNT'

type ConflictReason = 'NO_KEY' | 'SEVERAL_USERS' | 'SEVERAL_ACCOUNTS' | 'EMAIL_TAKEN' | 'FILTER_FAILED'

/** The user that was found, and by which key; or why none was. */
export type Match =
  | { is: 'user'; userId: string; by: string }
  | { is: 'nobody' }
  | { is: 'conflict'; reason: ConflictReason; key: string; userIds: string[] }

export const outcomes = ['create', 'match', 'move', 'change', 'leave', 'conflict'] as const

/** What happens to an account, or to a person without one. */
export type Outcome = {
  accountId: string
  displayName: string
  outcome: (typeof outcomes)[number]
  userId: string
  /** The key by which it was matched, such as `key 1`. */
  by: string
  fields: readonly string[]
  isDisabled: boolean
  isEnabled: boolean
  reason: string
  userIds: readonly string[]
}

export type PlanCounts = {
  created: number
  matched: number
  changed: number
  left: number
  disabled: number
  enabled: number
  conflicts: number
}

/** Items with one of these outcomes, or those whose status changes. */
export type Counted = { outcomes: readonly Outcome['outcome'][] } | { status: 'isDisabled' | 'isEnabled' }

export const countedAs: Readonly<Record<keyof PlanCounts, Counted>> = {
  created: { outcomes: ['create'] },
  matched: { outcomes: ['match', 'move'] },
  changed: { outcomes: ['change'] },
  left: { outcomes: ['leave'] },
  disabled: { status: 'isDisabled' },
  enabled: { status: 'isEnabled' },
  conflicts: { outcomes: ['conflict'] },
}

const isCounted = (of: Counted, item: Outcome): boolean =>
  'status' in of ? item[of.status] : of.outcomes.includes(item.outcome)

export const countsOf = (all: readonly Outcome[]): PlanCounts =>
  Object.fromEntries(
    Object.entries(countedAs).map(([name, of]) => [name, all.filter((item) => isCounted(of, item)).length]),
  ) as PlanCounts

const holdsFrom = 20
const percentMax = 20

/** Whether so many may not be disabled until a person confirms it: more than 20% of at least 20, as everywhere. */
export const isTooMany = (disabled: number, disabledBefore: number, active: number): boolean =>
  disabled > 0 &&
  disabledBefore + active >= holdsFrom &&
  (disabledBefore + disabled) * 100 > (disabledBefore + active) * percentMax

/**
 * The tables whose rows are searched by name, or whose changes rules check. `store.ts` writes them, and with each write
 * what must follow it; tests/checks/writes.test.ts checks that nothing else does.
 */
export type Table = 'users' | 'apps' | 'resource_types' | 'resources' | 'entitlements' | 'accounts' | 'grants'

export type Searched = {
  kind: string
  /** The columns that the keys are built from. */
  columns: readonly string[]
  /** For a row `x`: texts by which it is found unchanged, in addition to the words of its name. */
  others: string
  /** Whether it can still be searched for once it is deleted. */
  keepsDeleted: boolean
}

export type Written = {
  /** The key of a row within its tenant; the last column is its id. */
  key: readonly string[]
  /** Other columns that callers of a write may request. */
  answers: readonly string[]
  searched: Searched | null
}

const named = (kind: string): Searched => ({ kind, columns: ['display_name'], others: `'{}'`, keepsDeleted: false })

export const tables: { readonly [T in Table]: Written } = {
  users: {
    key: ['user_id'],
    answers: [],
    searched: {
      kind: 'user',
      columns: ['display_name', 'email', 'emails', 'username', 'usernames', 'employee_ids'],
      others: 'x.emails || x.usernames || x.employee_ids || array[x.email, x.username]',
      keepsDeleted: true,
    },
  },
  apps: { key: ['app_id'], answers: [], searched: named('app') },
  resource_types: { key: ['app_id', 'resource_type_id'], answers: [], searched: named('resource_type') },
  resources: { key: ['app_id', 'resource_type_id', 'resource_id'], answers: [], searched: named('resource') },
  entitlements: {
    key: ['app_id', 'entitlement_id'],
    answers: [],
    searched: {
      kind: 'entitlement',
      columns: ['display_name', 'alias', 'slug'],
      others: 'array[x.alias, x.slug]',
      keepsDeleted: true,
    },
  },
  accounts: {
    key: ['app_id', 'account_id'],
    answers: ['user_id'],
    searched: {
      kind: 'account',
      columns: ['display_name', 'email', 'emails', 'username', 'usernames'],
      others: 'x.emails || x.usernames || array[x.email, x.username]',
      keepsDeleted: true,
    },
  },
  grants: {
    key: ['app_id', 'entitlement_id', 'account_id', 'grant_id'],
    answers: ['source', 'granted_by', 'granted_at', 'expires_at', 'ended_at', 'reason'],
    searched: null,
  },
}

/** The names that rules use for the fields of a user, by column. A new field that rules can read belongs here. */
const fieldsOfColumns: Readonly<Record<string, readonly string[]>> = {
  status: ['status'],
  directory_status: ['directoryStatus'],
  type: ['type'],
  display_name: ['displayName'],
  email: ['email'],
  emails: ['emails'],
  username: ['username'],
  usernames: ['usernames'],
  employee_ids: ['employeeIds'],
  department: ['department'],
  job_title: ['jobTitle'],
  employment_type: ['employmentType'],
  employment_status: ['employmentStatus'],
  manager_ids: ['manager', 'managerId'],
  profile: ['profile'],
}

/** For columns of users and accounts, those with the time since when they have their value. */
export const sinceColumns: { readonly [T in Table]?: Readonly<Record<string, string>> } = {
  users: { manager_ids: 'managers_since', email: 'email_since', status: 'status_since' },
  accounts: { user_id: 'user_since' },
}

/** The fields of users that rules may read and that a change of these columns changes; null is all of them. */
export const fieldsOf = (columns: readonly string[]): readonly string[] | null =>
  columns.includes('deleted_at') ? null : columns.flatMap((column) => fieldsOfColumns[column] ?? [])

/** Whether rows that are changed in these columns may be searched by something else afterwards. */
export const changesKeys = ({ searched }: Written, columns: readonly string[]): boolean =>
  searched !== null && (columns.includes('deleted_at') || columns.some((column) => searched.columns.includes(column)))

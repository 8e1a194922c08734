import { userStatuses } from './users.ts'

/**
 * Where an expression is used, and so what it sees. A `rule` is evaluated for every user and is expressed in SQL; the others
 * are evaluated for one task, and may look things up. `approvers` returns users, all others a bool. `claims` is about a
 * token of another issuer.
 */
export const scopes = [
  'rule',
  'condition',
  'approvers',
  'routing',
  'accountFilter',
  'accountKey',
  'userKey',
  'accountField',
  'eventFilter',
  'claims',
] as const
export type Scope = (typeof scopes)[number]
/**
 * For directories: which accounts are people, and by which keys an account and a user are the same person. For
 * subscriptions: which events of the system log are sent. `accountField` is about a user too: the value of a field of an
 * account that is created for them.
 */
const keyScopes = ['accountFilter', 'accountKey', 'userKey', 'accountField', 'eventFilter'] as const
export type KeyScope = (typeof keyScopes)[number]
export type PolicyScope = Exclude<Scope, 'rule' | 'claims' | KeyScope>

export const isKeyScope = (scope: Scope): scope is KeyScope => (keyScopes as readonly Scope[]).includes(scope)

export type Root = 'subject' | 'account' | 'entitlement' | 'task' | 'ip' | 'appOwners' | 'event' | 'kind' | 'claims'

const rootsOf: Record<Scope, readonly Root[]> = {
  rule: ['subject'],
  condition: ['subject', 'account', 'entitlement', 'task', 'ip'],
  approvers: ['subject', 'account', 'entitlement', 'task', 'ip', 'appOwners'],
  routing: ['entitlement'],
  accountFilter: ['account'],
  accountKey: ['account'],
  userKey: ['subject'],
  accountField: ['subject'],
  eventFilter: ['event', 'kind'],
  claims: ['claims'],
}

/** The type of a name that is not a record: events and claims are JSON. */
export const typeOfRoot = (root: Root): 'string' | 'map' | 'user' | 'users' => {
  if (root === 'ip' || root === 'kind') return 'string'
  if (root === 'event' || root === 'claims') return 'map'
  return root === 'subject' ? 'user' : 'users'
}

/** Other names for the same, as other products use them. */
const aliases: Partial<Record<Scope, Readonly<Record<string, Root>>>> = {
  accountFilter: { appUser: 'account', app_user: 'account' },
  accountKey: { appUser: 'account', app_user: 'account' },
  userKey: { user: 'subject' },
  accountField: { user: 'subject' },
}

export function findRoot(scope: Scope, name: string): Root | null {
  const of = aliases[scope]
  const root = of && Object.hasOwn(of, name) ? of[name] : undefined
  return root ?? rootsOf[scope].find((each) => each === name) ?? null
}
export const isRoot = (scope: Scope, name: string): boolean => findRoot(scope, name) !== null
export const rootsIn = (scope: Scope): readonly Root[] => rootsOf[scope]

/** `timestamp` and `duration` by the names that the language's own functions give them. */
export type FieldType = 'string' | 'bool' | 'int' | 'list' | 'map' | 'Timestamp' | 'Duration'

/** The fields of tasks, accounts and entitlements. Users have `subjectFields`. */
export const recordFields = {
  task: {
    id: 'string',
    numericId: 'int',
    displayName: 'string',
    origin: 'string',
    isGrantPermanent: 'bool',
    grantDuration: 'Duration',
    subjectUserId: 'string',
    requestorUserId: 'string',
    createdAt: 'Timestamp',
  },
  account: {
    id: 'string',
    appId: 'string',
    displayName: 'string',
    email: 'string',
    emails: 'list',
    username: 'string',
    usernames: 'list',
    employeeIds: 'list',
    appUserType: 'string',
    status: 'string',
    identityUserId: 'string',
    profile: 'map',
  },
  entitlement: {
    id: 'string',
    appId: 'string',
    displayName: 'string',
    description: 'string',
    slug: 'string',
    alias: 'string',
    purpose: 'string',
    appResourceTypeId: 'string',
    appResourceId: 'string',
    riskLevelValueId: 'string',
    complianceFrameworkValueIds: 'list',
    isManuallyManaged: 'bool',
    emergencyGrantEnabled: 'bool',
  },
} as const satisfies Record<string, Record<string, FieldType>>
export type RecordRoot = keyof typeof recordFields

export const isRecordRoot = (name: string): name is RecordRoot => Object.hasOwn(recordFields, name)

const camelOf = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** In both spellings: `task.createdAt`, `task.created_at`. */
export function findRecordField(root: RecordRoot, name: string): { field: string; type: FieldType } | null {
  const field = name.includes('_') && /[A-Z]/.test(name) ? name : camelOf(name)
  const fields: Record<string, FieldType> = recordFields[root]
  const type = Object.hasOwn(fields, field) ? fields[field] : undefined
  return type === undefined ? null : { field, type }
}

/** Published fields that have no correct value yet, and why. */
export const missingFields: { readonly [path: string]: string } = {
  'task.analysis': 'access conflicts are not detected',
}

type Taken = 'user' | 'users' | 'string'
/**
 * `about`: what the author has to be able to read to know the result without the lookup; an app and an entitlement are those
 * with the ids it takes.
 */
export type Lookup = {
  name: LookupName
  about: 'people' | 'app' | 'entitlement'
  takes: readonly Taken[]
  gives: 'bool' | 'string' | 'user' | 'users'
}
export const lookupNames = [
  'HasApp',
  'HasEntitlement',
  'GetAppUserStatus',
  'FindByEmail',
  'FindByName',
  'GetByID',
  'GetManagers',
  'DirectReports',
  'GetEntitlementMembers',
  'GetEntitlementOwners',
  'GrantedFromEnrollment',
  'AutomaticallyGrantedFromEnrollment',
] as const
export type LookupName = (typeof lookupNames)[number]

/** `users` takes one user too. */
export const lookups: ReadonlyMap<string, Lookup> = new Map<string, Lookup>([
  ['c1.user.v1.HasApp', { name: 'HasApp', about: 'app', takes: ['user', 'string'], gives: 'bool' }],
  [
    'c1.user.v1.HasEntitlement',
    { name: 'HasEntitlement', about: 'entitlement', takes: ['user', 'string', 'string'], gives: 'bool' },
  ],
  [
    'c1.user.v1.GrantedFromEnrollment',
    { name: 'GrantedFromEnrollment', about: 'entitlement', takes: ['user', 'string', 'string'], gives: 'bool' },
  ],
  [
    'c1.user.v1.AutomaticallyGrantedFromEnrollment',
    {
      name: 'AutomaticallyGrantedFromEnrollment',
      about: 'entitlement',
      takes: ['user', 'string', 'string'],
      gives: 'bool',
    },
  ],
  [
    'c1.user.v1.GetAppUserStatus',
    { name: 'GetAppUserStatus', about: 'app', takes: ['user', 'string'], gives: 'string' },
  ],
  ['c1.directory.users.v1.FindByEmail', { name: 'FindByEmail', about: 'people', takes: ['string'], gives: 'user' }],
  ['c1.directory.users.v1.FindByName', { name: 'FindByName', about: 'people', takes: ['string'], gives: 'user' }],
  ['c1.directory.users.v1.GetByID', { name: 'GetByID', about: 'people', takes: ['string'], gives: 'user' }],
  ['c1.directory.users.v1.GetManagers', { name: 'GetManagers', about: 'people', takes: ['users'], gives: 'users' }],
  ['c1.directory.users.v1.DirectReports', { name: 'DirectReports', about: 'people', takes: ['users'], gives: 'users' }],
  [
    'c1.directory.apps.v1.GetEntitlementMembers',
    { name: 'GetEntitlementMembers', about: 'entitlement', takes: ['string', 'string'], gives: 'users' },
  ],
  [
    'c1.directory.apps.v1.GetEntitlementOwners',
    { name: 'GetEntitlementOwners', about: 'entitlement', takes: ['string', 'string'], gives: 'users' },
  ],
])

/** Published functions that have no correct result yet, and why: refused by name rather than never true. */
export const missingFunctions: { readonly [name: string]: string } = {
  'c1.user.v1.GetAppUserManagers': 'accounts have no managers; use c1.directory.users.v1.GetManagers',
  'c1.directory.groups.v1.FindByName':
    'a group is an entitlement; use c1.directory.apps.v1.GetEntitlementMembers with its ids',
}

const spelled = (values: readonly string[], prefix: string): [string, string][] =>
  values.flatMap((value) => [
    [value, `${prefix}${value}`],
    [`${prefix}${value}`, `${prefix}${value}`],
  ])

/** Besides those of `subject`, outside rules. */
export const recordConstants: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['AppUserType', new Map(spelled(['USER', 'SERVICE_ACCOUNT', 'SYSTEM_ACCOUNT'], 'APP_USER_TYPE_'))],
  ['AppUserStatus', new Map(spelled(['UNSPECIFIED', ...userStatuses.filter((each) => each !== 'UNKNOWN')], 'STATUS_'))],
  [
    'TaskOrigin',
    new Map(
      spelled(
        [
          'API',
          'WEBAPP',
          'TIME_REVOKE',
          'PROFILE_MEMBERSHIP',
          'PROFILE_MEMBERSHIP_MANUAL',
          'PROFILE_MEMBERSHIP_AUTOMATION',
          'CASCADE_DELETE',
          'AUTOMATION',
        ],
        'TASK_ORIGIN_',
      ),
    ),
  ],
])

import type { KeyScope, Lookup, LookupName, PolicyScope, RecordRoot, Root } from './scope.ts'

export type { Fragment } from '#kernel/sql.ts'

/** What `subject` has in an expression. `attributes` is another name of `profile`, and so is no field of its own. */
export const subjectFields = [
  'id',
  'email',
  'emails',
  'displayName',
  'username',
  'usernames',
  'employeeIds',
  'department',
  'jobTitle',
  'employmentType',
  'employmentStatus',
  'status',
  'directoryStatus',
  'type',
  'manager',
  'managerId',
  'profile',
] as const
export type SubjectField = (typeof subjectFields)[number]

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** An entitlement of an app. */
export type Held = { appId: string; id: string }

/** A user as expressions see them. What `listSubjects` was not asked for is empty. */
export type Subject = {
  id: string
  email: string
  emails: readonly string[]
  displayName: string
  username: string
  usernames: readonly string[]
  employeeIds: readonly string[]
  department: string
  jobTitle: string
  employmentType: string
  employmentStatus: string
  status: string
  directoryStatus: string
  type: string
  /** The address of the first manager; empty where there is none. */
  manager: string
  managerId: string
  profile: { readonly [key: string]: Json }
  /** Of the apps that the expressions ask about, those in which the user has a live account. */
  apps: readonly string[]
  /** Of the entitlements that the expressions ask about, those that a live account of the user holds: `heldKey`. */
  entitlements: readonly string[]
}

/** A user as the database tells of them: the profile is text, so that whoever evaluates parses it. */
export type SubjectRow = Pick<Subject, 'id'> & Partial<Omit<Subject, 'profile'>> & { profile?: string }

export const heldKey = ({ appId, id }: Held): string => `${appId}/${id}`

/**
 * What the answers of an expression tell of, which its author has to be able to read without it: see sight.ts. `any` is a field of
 * a user of which it is not known which.
 */
export type Tells = {
  roots: readonly Root[]
  fields: readonly (SubjectField | 'any')[]
  entitlements: readonly Held[]
  apps: readonly string[]
  /** Look-ups beside those of the entitlements and apps, whose ids are written out. */
  lookups: readonly Pick<Lookup, 'name' | 'about'>[]
}

/** What can change an expression's answer about a user. */
export type ExpressionReads = {
  fields: ReadonlySet<SubjectField>
  entitlements: readonly Held[]
  apps: readonly string[]
  /** Uses now(): the answer changes though nothing is written. */
  isClocked: boolean
  /** Reads `subject.manager`: the answer changes when another user's address does. */
  looksAtManager: boolean
}

export type SqlScope = {
  tenantId: number
  now: Date
  /** What the caller's statement calls the table of users, as in `from users u`. */
  users: string
}

/** `error` begins with line and column where they are known. */
export type Evaluation = { value: boolean } | { error: string }

/** A value that an expression reads. `value` is null for what is missing. */
export type Looked = { path: string; value: unknown; isMissing: boolean }

/**
 * Part of a statement, as data: it is written where there is no connection, in a worker thread, and can be sent from there.
 * Texts and values alternate.
 */
export type Template = { texts: string[]; values: TemplateValue[] }
export type TemplateValue = string | number | boolean | string[] | number[] | FromScope
/** What differs from statement to statement: the tenant, the moment, a column of what it calls the table of users. */
export type FromScope = { of: 'tenantId' } | { of: 'now' } | { of: 'users'; column: string }

/** A value that an expression names: a field, and where in it. */
export type Path = { field: SubjectField; keys: readonly (string | number)[] }

/** An expression that can be evaluated, in a worker thread. */
export type Compiled = {
  source: string
  tells: Tells
  reads: ExpressionReads
  paths: readonly Path[]
  /**
   * A boolean over one row of users, whatever else the statement does: true, false, or null where the evaluation fails.
   * Null (no template) when the expression cannot be said in SQL exactly; then `evaluate` decides.
   */
  template(now: Date): Template | null
  evaluate(subject: Subject, now: Date): Evaluation
}

/** What is known of an expression outside of the worker threads. */
export type Expression = Pick<Compiled, 'source' | 'tells' | 'reads' | 'paths'> & {
  /** The same at all times, unless the expression is clocked. */
  template: Template | null
}

/** Something that an expression of a policy has to know to go on. `userId` is empty where it is about nobody. */
export type Need = { of: LookupName; userId: string; texts: readonly string[] }
export const needKey = ({ of, userId, texts }: Need): string => JSON.stringify([of, userId, ...texts])

export type Answer =
  | { value: boolean | string }
  | { userId: string }
  | { userIds: readonly string[] }
  /** There is no answer; the evaluation fails with this, where nothing else decides it. */
  | { error: string }

/** What was found out so far: answers by their `needKey`, and every user whom they name. */
export type LookedUp = { answers: readonly (readonly [string, Answer])[]; users: readonly SubjectRow[] }

/** What a record is told of: a duration in seconds, a moment in milliseconds since 1970. */
export type RecordValue = string | number | boolean | readonly string[] | { readonly [key: string]: Json }

/** What an expression of a policy is asked about. What it does not look at may be left out. */
export type Scene = {
  subjectId?: string
  appOwnerIds?: readonly string[]
  ip?: string
  records: { readonly [root in RecordRoot]?: { readonly [field: string]: RecordValue } }
}

/** What is known of an expression of a policy outside of the worker threads. */
export type PolicyExpression = {
  source: string
  scope: PolicyScope
  tells: Tells
  roots: ReadonlySet<Root>
  /** Whether it looks at the profile of any user: they are fetched with it only then. */
  readsProfiles: boolean
}

/** Of a condition a value; of approvers users. `error` begins with line and column where they are known. */
export type Asked = { value: boolean } | { userIds: string[] } | { error: string }

/** Something that has to be true of a claim wherever a condition is: `claims.sub == "a"`, or that it begins with something. */
export type Pin = { claim: string; by: 'value' | 'prefix'; values: readonly string[] }

/** What is known of a condition about claims outside of the worker threads. */
export type ClaimsExpression = {
  source: string
  /** The claims that it looks at, by name; null where it looks at any. */
  reads: readonly string[] | null
  /** Null where it is never true. */
  pins: readonly Pin[] | null
}

/** What such an expression is asked about: an account, a user or an event, by field. A profile is an object, and so is an event. */
export type KeyRow = { readonly [field: string]: RecordValue | undefined }
/** A value as text, and of which type it is. */
export type TypedText = { type: string; value: string }
/** Of a filter whether it matches; of a key its text, which is empty where there is none; of a field of an account its value. */
export type KeyValue = boolean | string | TypedText

/** What is known of an expression of a directory outside of the worker threads. */
export type KeyExpression = { source: string; scope: KeyScope; tells: Tells; fields: ReadonlySet<SubjectField> }

import type { KeyScope, Lookup, LookupName, PolicyScope, RecordRoot, Root } from './scope.ts'

export type { Fragment } from '#kernel/sql.ts'

/** The fields of `subject` in an expression. `attributes` is another name of `profile`, and so is not a separate field. */
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

/** A user as expressions see them. Fields that `listSubjects` was not asked for are empty. */
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
  /** The email address of the first manager; empty if there is none. */
  manager: string
  managerId: string
  profile: { readonly [key: string]: Json }
  /** Of the apps that the expressions ask about, those in which the user has an account that is not deleted. */
  apps: readonly string[]
  /** Of the entitlements that the expressions ask about, those that such an account of the user holds: `heldKey`. */
  entitlements: readonly string[]
}

/** A user as the database returns them: the profile is text, and is parsed where it is evaluated. */
export type SubjectRow = Pick<Subject, 'id'> & Partial<Omit<Subject, 'profile'>> & { profile?: string }

export const heldKey = ({ appId, id }: Held): string => `${appId}/${id}`

/**
 * What the results of an expression reveal, which its author has to be able to read without it: see sight.ts. `any` is a
 * field of a user if it is not known which.
 */
export type Tells = {
  roots: readonly Root[]
  fields: readonly (SubjectField | 'any')[]
  entitlements: readonly Held[]
  apps: readonly string[]
  /** Lookups besides those of the entitlements and apps whose ids are written out. */
  lookups: readonly Pick<Lookup, 'name' | 'about'>[]
}

/** What can change an expression's result for a user. */
export type ExpressionReads = {
  fields: ReadonlySet<SubjectField>
  entitlements: readonly Held[]
  apps: readonly string[]
  /** Uses now(): the result changes although nothing is written. */
  isClocked: boolean
  /** Reads `subject.manager`: the result changes when another user's email address does. */
  looksAtManager: boolean
}

export type SqlScope = {
  tenantId: number
  now: Date
  /** The name of the table of users in the caller's statement, as in `from users u`. */
  users: string
}

/** `error` begins with line and column if they are known. */
export type Evaluation = { value: boolean } | { error: string }

/** A value that an expression reads. `value` is null if it is missing. */
export type Looked = { path: string; value: unknown; isMissing: boolean }

/**
 * Part of a statement, as data: it is written in a worker thread, where there is no connection, and can be sent from there.
 * Texts and values alternate.
 */
export type Template = { texts: string[]; values: TemplateValue[] }
export type TemplateValue = string | number | boolean | string[] | number[] | FromScope
/** What differs from statement to statement: the tenant, the time, and a column of its table of users. */
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
   * A boolean over one row of users, regardless of the rest of the statement: true, false, or null if the evaluation fails.
   * Null (no template) if the expression cannot be expressed exactly in SQL; then `evaluate` decides.
   */
  template(now: Date): Template | null
  evaluate(subject: Subject, now: Date): Evaluation
}

/** What is known of an expression outside the worker threads. */
export type Expression = Pick<Compiled, 'source' | 'tells' | 'reads' | 'paths'> & {
  /** The same at all times, unless the expression is clocked. */
  template: Template | null
}

/** Something that an expression of a policy has to know to continue. `userId` is empty if it is not about a user. */
export type Need = { of: LookupName; userId: string; texts: readonly string[] }
export const needKey = ({ of, userId, texts }: Need): string => JSON.stringify([of, userId, ...texts])

export type Answer =
  | { value: boolean | string }
  | { userId: string }
  | { userIds: readonly string[] }
  /** There is no answer; the evaluation fails with this error, unless something else decides it. */
  | { error: string }

/** What was looked up so far: answers by their `needKey`, and every user named in them. */
export type LookedUp = { answers: readonly (readonly [string, Answer])[]; users: readonly SubjectRow[] }

/** A value in a record: a duration is in seconds, a moment in milliseconds since 1970. */
export type RecordValue = string | number | boolean | readonly string[] | { readonly [key: string]: Json }

/** What an expression of a policy is evaluated for. What it does not read may be left out. */
export type Scene = {
  subjectId?: string
  appOwnerIds?: readonly string[]
  ip?: string
  records: { readonly [root in RecordRoot]?: { readonly [field: string]: RecordValue } }
}

/** What is known of an expression of a policy outside the worker threads. */
export type PolicyExpression = {
  source: string
  scope: PolicyScope
  tells: Tells
  roots: ReadonlySet<Root>
  /** Whether it reads the profile of any user: profiles are fetched only then. */
  readsProfiles: boolean
}

/** A value for a condition; users for approvers. `error` begins with line and column if they are known. */
export type Asked = { value: boolean } | { userIds: string[] } | { error: string }

/**
 * Something that must hold for a claim whenever a condition is true: `claims.sub == "a"`, or that it begins with a prefix.
 */
export type Pin = { claim: string; by: 'value' | 'prefix'; values: readonly string[] }

/** What is known of a condition about claims outside the worker threads. */
export type ClaimsExpression = {
  source: string
  /** The claims that it reads, by name; null if it reads any. */
  reads: readonly string[] | null
  /** Null if it is never true. */
  pins: readonly Pin[] | null
}

/**
 * What such an expression is evaluated for: an account, a user or an event, by field. A profile is an object, and so is an
 * event.
 */
export type KeyRow = { readonly [field: string]: RecordValue | undefined }
/** A value as text, and its type. */
export type TypedText = { type: string; value: string }
/**
 * For a filter, whether it matches; for a key, its text, which is empty if there is none; for a field of an account, its
 * value.
 */
export type KeyValue = boolean | string | TypedText

/** What is known of an expression of a directory outside the worker threads. */
export type KeyExpression = { source: string; scope: KeyScope; tells: Tells; fields: ReadonlySet<SubjectField> }

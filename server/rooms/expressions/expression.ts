import type { Reads as Db, Fragment } from '#kernel/sql.ts'

export type { Fragment } from '#kernel/sql.ts'

/** What `subject` has in an expression. `attributes` is another name of `profile`, and so is no field of its own. */
export const subjectFields = [
  'id',
  'email',
  'emails',
  'displayName',
  'username',
  'usernames',
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

export const heldKey = ({ appId, id }: Held): string => `${appId}/${id}`

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

export type Compiled = {
  source: string
  reads: ExpressionReads
  /**
   * A boolean over one row of users, whatever else the statement does: true, false, or null where the evaluation fails.
   * Null (no fragment) when the expression cannot be said in SQL exactly; then `evaluate` decides.
   */
  toSql(sql: Db, scope: SqlScope): Fragment | null
  evaluate(subject: Subject, now: Date): Evaluation
  /** Which values the expression reads, and what they are for this user. */
  look(subject: Subject): readonly Looked[]
}

import type { FieldViolation } from '#kernel/refusals.ts'
import type { SignInMethod } from '#rooms/foundation/systemlog/index.ts'

/** How the people of a tenant may sign in to the console, and for how long. */
export type SignInPolicy = {
  methods: readonly SignInMethod[]
  /** A session ends after this time of inactivity. */
  idleSeconds: number
  /** A session ends after this time at the latest. */
  sessionSeconds: number
  /** How long after a sign-in users may call operations that require a recent sign-in. */
  freshSeconds: number
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

export const signInMethods = ['link', 'passkey', 'oidc'] as const satisfies SignInMethod[]

export const defaultPolicy: SignInPolicy = {
  methods: signInMethods,
  idleSeconds: 12 * hour,
  sessionSeconds: 7 * day,
  freshSeconds: 15 * minute,
}

/** For a policy that this program did not write: nobody signs in except with a break-glass link. */
export const closedPolicy: SignInPolicy = { ...defaultPolicy, methods: [] }

const limits = {
  idleSeconds: { field: 'idleTime', least: 5 * minute, most: 30 * day, words: 'from 5 minutes to 30 days' },
  sessionSeconds: { field: 'sessionTime', least: 15 * minute, most: 30 * day, words: 'from 15 minutes to 30 days' },
  freshSeconds: { field: 'freshTime', least: minute, most: hour, words: 'from 1 minute to 1 hour' },
} as const

export function policyProblems(policy: SignInPolicy): FieldViolation[] {
  const problems: FieldViolation[] = []
  if (policy.methods.length === 0) problems.push({ field: 'methods', description: 'must name at least one method' })
  for (const [name, { field, least, most, words }] of Object.entries(limits)) {
    const seconds = policy[name as keyof typeof limits]
    if (!Number.isInteger(seconds) || seconds < least || seconds > most)
      problems.push({ field, description: `must be ${words}, in whole seconds` })
  }
  if (problems.length === 0 && policy.idleSeconds > policy.sessionSeconds)
    problems.push({ field: 'idleTime', description: 'must not be longer than sessionTime' })
  return problems
}

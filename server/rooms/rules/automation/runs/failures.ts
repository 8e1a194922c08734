import { Refusal } from '#kernel/refusals.ts'

const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** Our own statement_timeout. */
export const isStatementTimeout = (error: unknown): boolean => codeOf(error) === '57014'

/**
 * Errors that have to do with the one rule, unlike a lost race or a database that is away: an expression that is refused, data
 * or a statement that the database cannot do (22, 42, 54), work that took too long. The run ends with them, and other rules go on.
 */
export function isOfRule(error: unknown): error is Error {
  if (error instanceof Refusal) return error.reason !== 'LOST_RACE' && error.reason !== 'TOO_MANY_AT_ONCE'
  return isStatementTimeout(error) || /^(?:2[0-4]...|42...|54...)$/.test(codeOf(error))
}

/** Of those, what says nothing of the rule: time ran out, on a machine that may have been busy. It is tried again soon. */
export const isOfTime = (error: unknown): boolean =>
  error instanceof Refusal ? error.status >= 500 : isStatementTimeout(error)

/** A rule that takes more work than a rule may, by units: it would again, every hour. */
export const isTooCostly = (error: Error): boolean =>
  error instanceof Refusal && error.reason === 'EXPRESSION_TOO_COSTLY'

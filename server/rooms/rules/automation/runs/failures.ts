import { Refusal } from '#kernel/refusals.ts'

const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** This server's statement_timeout. */
export const isStatementTimeout = (error: unknown): boolean => codeOf(error) === '57014'

/**
 * Errors that concern only the one rule, unlike a lost race or an unavailable database: an expression that is refused, data
 * or a statement that the database cannot process (22, 42, 54), work that took too long. The run ends with them, and other
 * rules continue.
 */
export function isOfRule(error: unknown): error is Error {
  if (error instanceof Refusal) return error.reason !== 'LOST_RACE' && error.reason !== 'TOO_MANY_AT_ONCE'
  return isStatementTimeout(error) || /^(?:2[0-4]...|42...|54...)$/.test(codeOf(error))
}

/**
 * Those errors that are not caused by the rule itself: it ran out of time, on a machine that may have been busy. It is
 * retried soon.
 */
export const isOfTime = (error: unknown): boolean =>
  error instanceof Refusal ? error.status >= 500 : isStatementTimeout(error)

/** A rule that takes more units of work than allowed: it would again, every hour. */
export const isTooCostly = (error: Error): boolean =>
  error instanceof Refusal && error.reason === 'EXPRESSION_TOO_COSTLY'

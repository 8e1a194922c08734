import { Refusal } from '#kernel/refusals.ts'

/**
 * Errors that come again however often it is tried, unlike a lost race or a database that is away: an expression that is
 * refused, a statement that takes too long (57014), data or a statement that the database cannot do (22, 42, 54).
 */
export function isLasting(error: unknown): error is Error {
  if (error instanceof Refusal) return error.reason !== 'LOST_RACE' && error.reason !== 'TOO_MANY_AT_ONCE'
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^(?:57014|2[0-4]...|42...|54...)$/.test(code)
}

/** A rule that takes more than a rule may: it would again, every hour. */
export const isTooCostly = (error: Error): boolean =>
  error instanceof Refusal ? error.reason === 'EXPRESSION_TOO_COSTLY' : (error as { code?: unknown }).code === '57014'

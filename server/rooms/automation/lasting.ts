import { Refusal } from '#kernel/refusals.ts'

/**
 * Errors that come again however often it is tried, unlike a lost race or a database that is away: an expression that is
 * refused, a statement that takes too long (57014), data or a statement that the database cannot do (22, 42, 54).
 */
export function isLasting(error: unknown): error is Error {
  if (error instanceof Refusal) return error.reason !== 'LOST_RACE'
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^(?:57014|2[0-4]...|42...|54...)$/.test(code)
}

import { invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { described, timestamp } from '#kernel/wire.ts'
import type { Moment } from './grant.ts'

/** Not in the published schema: any earlier moment, as it was known then. */
export const asOfField = described(timestamp(), 'Access at this time; the current access by default.')

export function momentOf(call: Pick<Call, 'now'>, asOf: Date | null): Moment {
  const now = call.now()
  if (asOf === null) return { at: now, isNow: true }
  if (asOf > now) throw invalid({ field: 'asOf', description: 'must not be in the future' })
  return { at: asOf, isNow: false }
}

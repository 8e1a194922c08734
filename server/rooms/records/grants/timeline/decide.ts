import type { GrantSource, HoldingRef } from '../grant.ts'

/** One row of the history, as it was known at the requested moment. */
export type HistoryRow = HoldingRef & {
  id: string
  source: GrantSource
  grantedBy: string
  grantedAt: Date
  beganAt: Date
  expiresAt: Date | null
  endedAt: Date | null
  endedBy: string
  endedWhy: 'revoked' | 'expired' | 'restated' | null
}

/** A period in which something was held for one reason. */
export type Span = {
  source: GrantSource
  grantedBy: string
  grantedAt: Date
  from: Date
  /** Null while it is held. */
  to: Date | null
  expiresAt: Date | null
  endedBy: string
  endedWhy: 'revoked' | 'expired' | null
}

/** Nothing is held after it has expired, whether the engine has ended the row yet or not. */
function endOf({ endedAt, expiresAt, endedBy, endedWhy }: HistoryRow, at: Date) {
  if (endedAt !== null && endedAt <= at && (expiresAt === null || endedAt < expiresAt || endedWhy !== 'expired'))
    return { to: endedAt, endedBy, endedWhy: endedWhy === 'restated' ? null : endedWhy }
  return expiresAt !== null && expiresAt <= at
    ? { to: expiresAt, endedBy: endedWhy === 'expired' ? endedBy : '', endedWhy: 'expired' as const }
    : { to: null, endedBy: '', endedWhy: null }
}

const byTime = (a: HistoryRow, b: HistoryRow): number =>
  a.beganAt.getTime() - b.beganAt.getTime() || (a.id < b.id ? -1 : 1)

/**
 * The rows of one holding as spans. If the terms changed, the next row of the same source continues the span, with the new
 * terms. Rows that began and ended at the same moment were never held.
 */
export function spansOf(rows: readonly HistoryRow[], at: Date): Span[] {
  const spans: Span[] = []
  for (const [source, ofSource] of Map.groupBy(rows, (row) => row.source)) {
    let open: Span | null = null
    let isRestated = false
    for (const row of ofSource.toSorted(byTime)) {
      const end = endOf(row, at)
      const terms = { expiresAt: row.expiresAt, ...end }
      if (open && isRestated && open.to?.getTime() === row.beganAt.getTime()) Object.assign(open, terms)
      else {
        open = { source, grantedBy: row.grantedBy, grantedAt: row.grantedAt, from: row.beganAt, ...terms }
        spans.push(open)
      }
      isRestated = row.endedWhy === 'restated'
    }
  }
  return spans
    .filter(({ from, to }) => to === null || to > from)
    .toSorted((a, b) => a.from.getTime() - b.from.getTime() || (a.source < b.source ? -1 : 1))
}

/** Whether a span lies, at least in part, between two moments. */
export const isWithin = ({ from, to }: Pick<Span, 'from' | 'to'>, since: Date | null, until: Date): boolean =>
  from <= until && (to === null || since === null || to > since)

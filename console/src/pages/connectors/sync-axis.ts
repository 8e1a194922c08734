import type { ConnectorSync, ImportCounts } from '#client/api/types.ts'

type Kind = ImportCounts['kind']
export const changes = ['added', 'changed', 'removed'] as const
export type Change = (typeof changes)[number]

type Counted = Pick<ConnectorSync, 'counts'>

export const changeOf = ({ counts }: Counted, kind: Kind, change: Change): number =>
  Number(counts.find((each) => each.kind === kind)?.[change] ?? 0)

export const totalOf = (sync: Counted, kind: Kind): number =>
  changes.reduce((sum, change) => sum + changeOf(sync, kind, change), 0)

const order: readonly Kind[] = ['account', 'grant', 'entitlement', 'resource', 'resource_type', 'user', 'app']

/** The kinds of which anything changed. */
export const kindsIn = (syncs: readonly Counted[]): Kind[] =>
  order.filter((kind) => syncs.some((sync) => totalOf(sync, kind) > 0))

/** The first of 1, 2, 4, 5, 10, 20, 40, … that holds it. */
export function niceTop(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)))
  return power * ([1, 2, 4, 5, 10].find((step) => step * power >= count) ?? 10)
}

const cutFrom = 5

/**
 * Where a linear axis ends. The first sync brings everything, and those after it a few: a bar that is more than five times as
 * large as any other is cut, so that the others are seen.
 */
export function axisOf(totals: readonly number[]): { top: number; cut: number | null } {
  const [first = 0, second = 0] = totals.toSorted((one, other) => other - one)
  return second > 0 && first > cutFrom * second
    ? { top: niceTop(second * 1.5), cut: first }
    : { top: niceTop(first), cut: null }
}

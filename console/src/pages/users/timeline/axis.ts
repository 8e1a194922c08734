const dayMs = 86_400_000

type Step = { name: 'day' | 'month' | 'year'; every: number }

const steps: readonly (Step & { ms: number })[] = [
  { name: 'day', every: 1, ms: dayMs },
  { name: 'day', every: 2, ms: 2 * dayMs },
  { name: 'day', every: 7, ms: 7 * dayMs },
  { name: 'day', every: 14, ms: 14 * dayMs },
  { name: 'month', every: 1, ms: 30.5 * dayMs },
  { name: 'month', every: 3, ms: 91.5 * dayMs },
  { name: 'month', every: 6, ms: 183 * dayMs },
  { name: 'year', every: 1, ms: 365.25 * dayMs },
  { name: 'year', every: 2, ms: 730.5 * dayMs },
  { name: 'year', every: 5, ms: 1826 * dayMs },
  { name: 'year', every: 10, ms: 3652 * dayMs },
]

const longest: Step = { name: 'year', every: 10 }

/** The first moment of the reader's day, month or year that is not before another. */
function firstOf(from: Date, { name, every }: Step): Date {
  const at = new Date(from)
  at.setHours(0, 0, 0, 0)
  if (name === 'year') at.setMonth(0, 1)
  if (name === 'month') {
    at.setDate(1)
    at.setMonth(at.getMonth() - (at.getMonth() % every))
  }
  while (at < from) next(at, { name, every })
  return at
}

function next(at: Date, { name, every }: Step): void {
  if (name === 'day') at.setDate(at.getDate() + every)
  else if (name === 'month') at.setMonth(at.getMonth() + every)
  else at.setFullYear(at.getFullYear() + every)
}

const formats = {
  day: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }),
  month: new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' }),
  year: new Intl.DateTimeFormat(undefined, { year: 'numeric' }),
}

export type Tick = { at: Date; label: string }

/** The marks of a linear axis of time: whole days, months or years, at most `ticksMax`. */
export function ticksOf(from: Date, to: Date, ticksMax: number): Tick[] {
  const span = to.getTime() - from.getTime()
  const step = steps.find(({ ms }) => span / ms <= ticksMax) ?? longest
  const ticks: Tick[] = []
  for (const at = firstOf(from, step); at <= to && ticks.length <= ticksMax; next(at, step))
    ticks.push({ at: new Date(at), label: formats[step.name].format(at) })
  return ticks
}

/** Where a moment is between two others, from 0 to 1; moments outside are at the edge. */
export const placeIn = (at: Date, from: Date, to: Date): number =>
  Math.min(1, Math.max(0, (at.getTime() - from.getTime()) / Math.max(1, to.getTime() - from.getTime())))

export const ranges = ['30', '90', '365', 'all', 'custom'] as const
export type RangeName = (typeof ranges)[number]

/** The start of a range of this many days; null is from the beginning. */
export const startOf = (range: RangeName, to: Date): Date | null =>
  range === 'all' || range === 'custom' ? null : new Date(to.getTime() - Number(range) * dayMs)

export const daysMax = 366
const dayMs = 86_400_000

/** The beginnings of the last `days` days, in UTC; the last is that of today. */
export function daysUntil(now: Date, days: number): Date[] {
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  return Array.from({ length: days }, (_, place) => new Date(today - (days - 1 - place) * dayMs))
}

/**
 * Records that were created and deleted on the same days. A day is its place in the list, from 1; 0 is any time before the
 * first. `gone` is null for those that still exist.
 */
export type Lived = { born: number; gone: number | null; count: number }

/** How many there were at the end of each day; on the last day, how many there are now. */
export const countsOf = (lived: readonly Lived[], days: number): number[] =>
  Array.from({ length: days }, (_, place) =>
    lived.reduce((sum, { born, gone, count }) => {
      const isThere = born <= place + 1 && (gone === null || (place + 1 < days && gone > place + 1))
      return isThere ? sum + count : sum
    }, 0),
  )

/** What began and what ended on a day. */
export type Changed = { day: number; begun: number; ended: number; restated: number }

export type Changes = { counts: number[]; added: number[]; removed: number[] }

/**
 * Computes from the current number of grants and the changes how many there were at the end of each day, and how many were
 * added and removed on it. A grant whose terms were changed ends as one row and continues as another: neither added nor
 * removed.
 */
export function changesOf(now: number, changed: readonly Changed[], days: number): Changes {
  const byDay = new Map(changed.map((each) => [each.day, each]))
  const counts: number[] = Array.from({ length: days }, () => 0)
  const [added, removed] = [[...counts], [...counts]]
  let count = now
  for (let day = days; day >= 1; day--) {
    const { begun = 0, ended = 0, restated = 0 } = byDay.get(day) ?? {}
    counts[day - 1] = count
    added[day - 1] = Math.max(0, begun - restated)
    removed[day - 1] = Math.max(0, ended - restated)
    count += ended - begun
  }
  return { counts, added, removed }
}

const steps = [1, 2, 2.5, 5, 10]

/** The least of 1, 2, 2.5, 5, 10, 20, … that is no less than it. Counts are whole, so 2.5 itself is left out. */
function niceStep(size: number): number {
  if (size <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(size))
  const step = steps.map((each) => each * power).find((each) => each >= size && Number.isInteger(each))
  return step ?? 10 * power
}

export type Axis = { bottom: number; top: number; ticks: number[] }

/**
 * A linear axis for counts, with three or four round marks. It begins with zero, unless all counts are so far from zero that nothing
 * of their change would be seen.
 */
export function axisOf(counts: readonly number[]): Axis {
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  const isFar = least > 2 * (most - least)
  const low = isFar ? least : 0
  const step = niceStep(Math.max(1, (most - low) / 2))
  const bottom = isFar ? Math.max(0, Math.floor(low / step) * step) : 0
  const top = Math.max(bottom + 2 * step, Math.ceil(most / step) * step)
  const ticks: number[] = []
  for (let each = bottom; each <= top; each += step) ticks.push(each)
  return { bottom, top, ticks }
}

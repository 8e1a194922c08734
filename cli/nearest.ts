/** How many letters have to be added, removed, replaced or swapped with the next one to turn one word into the other. */
function distance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (last[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = isSwapped ? (beforeLast[j - 2] as number) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(replaced, (last[j] as number) + 1, (row[j - 1] as number) + 1, swapped))
    }
    beforeLast = last
    last = row
  }
  return last[to.length] as number
}

const distanceMax = 2

/** The name that was probably meant: one that begins with what was typed, or differs in at most two letters; else null. */
export function nearest(typed: string, names: readonly string[]): string | null {
  if (typed.length < 2) return null
  const longer = names.filter((name) => name.startsWith(typed))
  if (longer.length === 1) return longer[0] as string
  const [best] = names
    .map((name) => ({ name, by: distance(typed, name) }))
    .filter(({ name, by }) => by <= distanceMax && by < name.length / 2)
    .toSorted((a, b) => a.by - b.by)
  return best?.name ?? null
}

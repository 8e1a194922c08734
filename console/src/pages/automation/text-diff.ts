/** A part of a text: in both, only before, or only after. */
export type DiffPart = { text: string; side: 'both' | 'before' | 'after' }

const tokensOf = (text: string): string[] => text.match(/\s+|\w+|[^\w\s]/g) ?? []
// The table below has a cell for each pair: a second of work at most.
const cellsMax = 4_000_000

/** What two texts have in common, word by word, and what not; of very long ones, all of both. */
export function diffOf(before: string, after: string): DiffPart[] {
  const a = tokensOf(before)
  const b = tokensOf(after)
  if (a.length * b.length > cellsMax) return whole(before, after)
  // Length of the longest common part of what follows a place in each.
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] as number) + 1
          : Math.max(lengths[(i + 1) * width + j] as number, lengths[i * width + j + 1] as number)
  const parts: DiffPart[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add(parts, 'both', a[i] as string)
      i += 1
      j += 1
    } else if (
      j >= b.length ||
      (i < a.length && (lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number))
    ) {
      add(parts, 'before', a[i] as string)
      i += 1
    } else {
      add(parts, 'after', b[j] as string)
      j += 1
    }
  }
  return parts
}

const whole = (before: string, after: string): DiffPart[] =>
  before === after
    ? [{ text: before, side: 'both' }]
    : [
        { text: before, side: 'before' },
        { text: after, side: 'after' },
      ]

function add(parts: DiffPart[], side: DiffPart['side'], text: string): void {
  const last = parts.at(-1)
  if (last?.side === side) last.text += text
  else parts.push({ text, side })
}

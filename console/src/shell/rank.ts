/** Something that Ctrl-K offers. */
export type Hit = {
  id: string
  label: string
  description: string
  /** Other words that find it. */
  words?: string
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** How well a thing matches the typed text; lower is better, and null means no match. */
function fit({ label, words = '' }: Pick<Hit, 'label' | 'words'>, typed: string): number | null {
  const [name, wanted] = [label.toLowerCase(), typed.trim().toLowerCase()]
  if (wanted === '' || name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  const has = (text: string): boolean => {
    const own = wordsOf(text)
    return wordsOf(wanted).every((word) => own.some((each) => each.startsWith(word)))
  }
  if (has(label)) return 2
  return has(`${label} ${words}`) ? 3 : null
}

/** Results of the API match in some way: by an address, or by the name of their app. */
const foundOtherwise = 4

export type Group<T extends Hit> = { group: string; hits: T[] }

/**
 * The groups with the best matches first, and in each group the best match first. Equal ones keep their order. Results of
 * the API stay regardless of their names; all others must match.
 */
export function ranked<T extends Hit>(
  groups: readonly (Group<T> & { isFound?: boolean })[],
  typed: string,
): Group<T>[] {
  const scored = groups.flatMap(({ group, hits, isFound = false }) => {
    const fitting = hits
      .map((hit) => ({ hit, score: fit(hit, typed) ?? (isFound ? foundOtherwise : null) }))
      .filter((each): each is { hit: T; score: number } => each.score !== null)
      .toSorted((a, b) => a.score - b.score)
    const [best] = fitting
    return best ? [{ group, hits: fitting.map(({ hit }) => hit), score: best.score }] : []
  })
  return scored.toSorted((a, b) => a.score - b.score).map(({ group, hits }) => ({ group, hits }))
}

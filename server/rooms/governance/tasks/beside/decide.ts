/** How many people of a group there are besides the person, and how many of them have the access. */
export type Counted = { people: number; holding: number }

/** With fewer people, a count would show who of them has it. */
const peopleMin = 5
/** Larger groups are not counted. */
export const peopleMax = 5_000

/**
 * What may be told of a group: callers who may read everyone and their access see every count, all others only that of a group in
 * which nobody can be recognized.
 */
export function toldOf(counted: Counted | null, seesAll: boolean): Counted | null {
  if (!counted || counted.people > peopleMax) return null
  return seesAll || counted.people >= peopleMin ? counted : null
}

/** Why there are no counts, for people; empty if there are. */
export function whyUntold(value: string, counted: Counted | null, seesAll: boolean): string {
  if (value === '' || !counted || toldOf(counted, seesAll)) return ''
  if (counted.people === 0) return 'Nobody else.'
  return counted.people > peopleMax
    ? `Not counted: more than ${peopleMax.toLocaleString('en')} people.`
    : `Not shown: fewer than ${peopleMin} other people.`
}

/** Reproducible random numbers: they depend on the name of the dice and nothing else. */
export type Dice = {
  /** An integer from 0 up to, but not including, `limit`. */
  below(limit: number): number
  chance(share: number): boolean
  pick<T>(from: readonly T[]): T
  /** An instant between two. */
  instant(from: Date, to: Date): Date
}

/** Each purpose has separate dice, so that a change to one app of the demo does not change the others. */
export function diceOf(name: string): Dice {
  let state = seedOf(name)
  // Mulberry32: 32 bits of state, which is enough for choosing who has which door.
  const roll = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(roll() * limit)
  return {
    below,
    chance: (share) => roll() < share,
    pick: <T>(from: readonly T[]): T => from[below(from.length)] as T,
    instant: (from, to) => new Date(from.getTime() + below(Math.max(1, to.getTime() - from.getTime()))),
  }
}

// FNV-1a.
function seedOf(name: string): number {
  let hash = 0x811c9dc5
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193)
  return hash
}

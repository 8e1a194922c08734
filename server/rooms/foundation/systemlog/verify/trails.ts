import type { Trail } from '../chain/trail.ts'

/** Numbers that were seen, as ranges: numbers come nearly in order, so there are few. */
type Ranges = [from: number, to: number][]

function add(ranges: Ranges, number: number): void {
  let i = ranges.length
  while (i > 0 && (ranges[i - 1] as Ranges[0])[0] > number) i--
  const before = ranges[i - 1]
  if (before && before[1] >= number) return
  if (before && before[1] + 1 === number) before[1] = number
  else ranges.splice(i, 0, [number, number])
  const joined = ranges[before && before[1] === number ? i - 1 : i]
  const after = ranges[before && before[1] === number ? i : i + 1]
  if (joined && after && joined[1] + 1 === after[0]) {
    joined[1] = after[1]
    ranges.splice(ranges.indexOf(after), 1)
  }
}

/** Takes out the numbers up to one; answers how many there were. */
function takeUpTo(ranges: Ranges, number: number): number {
  let taken = 0
  for (let first = ranges[0]; first && first[0] <= number; first = ranges[0]) {
    const to = Math.min(first[1], number)
    taken += to - first[0] + 1
    if (to === first[1]) ranges.shift()
    else first[0] = to + 1
  }
  return taken
}

type Seen = { floor: number; count: number; beyond: Ranges }

// A writer is a process that wrote: the starts and commands of years.
const writersMax = 10_000

/**
 * Counts what each writer wrote, in the order of the chain, against what the writer itself says with later events: how
 * many of its events up to a number were committed.
 */
export function countTrails(onMissing: (count: number) => void) {
  const writers = new Map<string, Seen>()
  let isAnyForgotten = false

  const seenOf = ({ writer, floor, count }: Statement): Seen => {
    let seen = writers.get(writer)
    // A writer that was forgotten goes on from what it says now.
    seen ??= isAnyForgotten ? { floor, count, beyond: [] } : { floor: 0, count: 0, beyond: [] }
    writers.delete(writer)
    writers.set(writer, seen)
    if (writers.size > writersMax) {
      isAnyForgotten = true
      writers.delete(writers.keys().next().value as string)
    }
    return seen
  }

  const state = (statement: Statement): Seen => {
    const seen = seenOf(statement)
    if (statement.floor > seen.floor) {
      const counted = seen.count + takeUpTo(seen.beyond, statement.floor)
      if (counted < statement.count) onMissing(statement.count - counted)
      seen.floor = statement.floor
      seen.count = statement.count
    }
    return seen
  }

  return {
    /** An event of a writer, with what the writer says. */
    event(trail: Trail): void {
      const seen = state(trail)
      if (trail.number > seen.floor) add(seen.beyond, trail.number)
    },
    /** An event that was altered: it is there, and what it says is not believed. */
    altered({ writer, number }: Trail): void {
      const seen = writers.get(writer)
      if (seen && number > seen.floor) add(seen.beyond, number)
    },
    /** What a writer said elsewhere. */
    state: (statement: Statement): void => void state(statement),
  }
}

export type Statement = Pick<Trail, 'writer' | 'floor' | 'count'>

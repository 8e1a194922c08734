import type { Trail } from '../chain/trail.ts'

/** Numbers that were seen, as ranges: numbers arrive nearly in order, so there are few. */
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

/** Removes the numbers up to one; returns how many there were. */
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

/** How many there are up to a number. */
function countUpTo(ranges: Ranges, number: number): number {
  let count = 0
  for (const [from, to] of ranges) {
    if (from > number) break
    count += Math.min(to, number) - from + 1
  }

  return count
}

type Seen = {
  /** Up to this number, this many were seen, which were all of them. */
  floor: number
  count: number
  beyond: Ranges
  /** Statements of which some events are still missing, in the order of their floors. */
  open: Pick<Trail, 'floor' | 'count'>[]
  /**
   * For a writer whose events before the seam were not read: the number of its first event that was written after the
   * link of the seam. All archived events have smaller ones, so its statements about numbers below that one cannot be
   * checked.
   */
  before?: { number: number | null }
}

// A writer is a process that wrote: the starts and commands of years.
const writersMax = 10_000
// Events that wait for the sealer come after those that a group appended to the chain in the meantime: some thousands,
// at most.
const openMax = 100
const openEvery = 500
const rangesMax = 10_000

/**
 * Compares what each writer wrote with what the writer itself states in other events: how many of its events up to a
 * number were committed. An event may be in the chain after one that counts it, so what is missing is known for sure
 * only at the end.
 */
export class Trails {
  readonly #onMissing: (count: number) => void
  readonly #writers = new Map<string, Seen>()
  #isAnyForgotten = false
  #seamNumber: number | null = null

  constructor(onMissing: (count: number) => void) {
    this.#onMissing = onMissing
  }

  /** Every event up to the floor of a statement exists, or was reported as missing. */
  #settle(seen: Seen, { floor, count }: Seen['open'][number]): void {
    const counted = seen.count + takeUpTo(seen.beyond, floor)
    if (counted < count) this.#onMissing(count - counted)
    seen.floor = floor
    seen.count = count
  }

  #settleAll(seen: Seen): void {
    for (const statement of seen.open.splice(0)) this.#settle(seen, statement)
  }

  #settleComplete(seen: Seen): void {
    for (let first = seen.open[0]; first; first = seen.open[0]) {
      const isForced = seen.open.length > openMax || seen.beyond.length > rangesMax
      if (!isForced && seen.count + countUpTo(seen.beyond, first.floor) < first.count) return
      seen.open.shift()
      this.#settle(seen, first)
    }
  }

  #seenOf({ writer, floor, count }: Statement): Seen {
    let seen = this.#writers.get(writer)
    // A writer that was dropped continues from its present statement.
    if (!seen && this.#seamNumber !== null)
      seen = { floor: 0, count: 0, beyond: [], open: [], before: { number: null } }
    seen ??= this.#isAnyForgotten
      ? { floor, count, beyond: [], open: [] }
      : { floor: 0, count: 0, beyond: [], open: [] }
    this.#writers.delete(writer)
    this.#writers.set(writer, seen)
    if (this.#writers.size > writersMax) {
      this.#isAnyForgotten = true
      const [oldest, forgotten] = this.#writers.entries().next().value as [string, Seen]
      this.#settleAll(forgotten)
      this.#writers.delete(oldest)
    }
    return seen
  }

  #state(statement: Statement): Seen {
    const seen = this.#seenOf(statement)
    if (seen.before) return seen
    const { floor, count } = statement
    const last = seen.open.at(-1)
    if (floor <= (last?.floor ?? seen.floor)) return seen
    // The last one also counts for those before it: only a few are kept, so that complete ones are dropped.
    if (last && seen.open.length > 1 && floor - (seen.open.at(-2)?.floor ?? 0) < openEvery)
      seen.open[seen.open.length - 1] = { floor, count }
    else seen.open.push({ floor, count })
    this.#settleComplete(seen)
    return seen
  }

  #goOnBehindSeam(seen: Seen, before: { number: number | null }, trail: Trail): void {
    add(seen.beyond, trail.number)
    if (before.number === null && trail.head >= (this.#seamNumber ?? 0)) before.number = trail.number
    if (before.number === null || trail.floor < before.number - 1) return
    takeUpTo(seen.beyond, trail.floor)
    seen.floor = trail.floor
    seen.count = trail.count
    delete seen.before
  }

  /** An event of a writer, with the writer's statement. */
  event(trail: Trail): void {
    const seen = this.#state(trail)
    if (seen.before) return this.#goOnBehindSeam(seen, seen.before, trail)
    if (trail.number <= seen.floor) return
    add(seen.beyond, trail.number)
    this.#settleComplete(seen)
  }

  /** An event that was altered: it exists, and its statement is not trusted. */
  altered({ writer, number }: Trail): void {
    const seen = this.#writers.get(writer)
    if (!seen || number <= seen.floor) return
    add(seen.beyond, number)
    this.#settleComplete(seen)
  }

  /** A writer's statement from elsewhere, about events that have all been read. */
  state(statement: Statement): void {
    this.#settleAll(this.#state(statement))
  }

  /** Events up to a link are not read: a writer continues from its statement, as soon as that is about later ones. */
  beginBehind(sealNumber: number): void {
    this.#seamNumber = sealNumber
    for (const seen of this.#writers.values()) this.#settleAll(seen)
    this.#writers.clear()
  }

  /** All events have been read. */
  end(): void {
    for (const seen of this.#writers.values()) this.#settleAll(seen)
  }
}

export type Statement = Pick<Trail, 'writer' | 'floor' | 'count'>

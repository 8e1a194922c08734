import { type Again, openRest, restMsMax, type Wakes } from '#kernel/wakes.ts'
import type { Log } from '#kernel/world.ts'

export type Tick = {
  name: string
  /** How often it is done while there are changes. */
  everyMs: number
  /** How often at least; ten minutes, where it is done more often while there are changes. */
  mostMs?: number
  work(): Promise<Again | void>
  /** Done once more when the process stops: what it keeps in memory would be lost. */
  isDoneAtStop?: true
  /** Ends things by the time: done where the clock is believed. */
  isByTime?: boolean
  /** When there is something to do that no change tells of; of what is due before a time. */
  nextDue?(before: Date): Promise<Date | null>
  /** What wakes it, where that is not what wakes the others. */
  wakes?: Wakes
}

export type TicksParts = { log: Log; isQuiet: (error: unknown) => boolean; wakes: Wakes; now: () => Date }

// What fails four times a second is not told four times a second.
const tellAgainMs = 60_000

/**
 * Does small regular work: never twice at once, never less often because it failed. After changes it is done until they are all
 * seen; then it rests until there are more, or something is due.
 */
export function startTicks(
  ticks: readonly Tick[],
  { log, isQuiet, wakes, now }: TicksParts,
): { stop(): Promise<void> } {
  let stopped = false
  const told = new Map<Tick, { message: string; until: number }>()

  const tell = (tick: Tick, error: unknown): void => {
    // While the database is away it is told of elsewhere, once.
    if (isQuiet(error)) return
    const message = error instanceof Error ? error.message : String(error)
    const last = told.get(tick)
    if (last?.message === message && last.until > performance.now()) return
    told.set(tick, { message, until: performance.now() + tellAgainMs })
    log.error({ err: error, tick: tick.name }, 'periodic work failed')
  }

  const run = (tick: Tick) => {
    const { everyMs, mostMs = restMsMax, nextDue } = tick
    const mine = tick.wakes ?? wakes
    const pause = openRest({ wakes: mine, now, everyMs, mostMs, ...(nextDue && { nextDue }) })
    const loop = async (): Promise<void> => {
      for (let isFirst = true, seen = 0, again = true; ; isFirst = false) {
        await pause.rest(seen, { again: isFirst || again })
        if (stopped) return
        seen = mine.count
        try {
          again = (await tick.work()) === 'again'
        } catch (error) {
          tell(tick, error)
          again = true
        }
        if (stopped) return
      }
    }
    return { running: loop(), ring: pause.ring }
  }
  const all = ticks.map(run)

  return {
    /** Waits for what runs, then does once more, in order, what would be lost. Another process does what is due in the database. */
    async stop() {
      stopped = true
      for (const { ring } of all) ring()
      await Promise.all(all.map(({ running }) => running))
      for (const { isDoneAtStop, work } of ticks) if (isDoneAtStop) await work().catch(() => {})
    },
  }
}

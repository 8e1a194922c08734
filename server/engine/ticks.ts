import { type Again, openRest, restMsMax, type Wakes } from '#kernel/wakes.ts'
import type { Log } from '#kernel/world.ts'

export type Tick = {
  name: string
  /** How often it is done while there are changes. */
  everyMs: number
  /** How often at least; ten minutes by default. */
  mostMs?: number
  work(): Promise<Again | void>
  /** Done once more when the process stops: what it keeps in memory would be lost. */
  isDoneAtStop?: true
  /** Ends things by the time: done only while the clock is trusted. */
  isByTime?: boolean
  /** When the next work is due that no change announces, if that is before this time. */
  nextDue?(before: Date): Promise<Date | null>
  /** What wakes it, if that is not what wakes the others. */
  wakes?: Wakes
}

export type TicksParts = { log: Log; isQuiet: (error: unknown) => boolean; wakes: Wakes; now: () => Date }

// Work that fails four times per second is not logged four times per second.
const logAgainMs = 60_000

/**
 * Does small periodic work: never twice at once, never less often because it failed. After changes it is done until they are
 * all processed; then it waits until there are more, or something is due.
 */
export function startTicks(
  ticks: readonly Tick[],
  { log, isQuiet, wakes, now }: TicksParts,
): { stop(): Promise<void> } {
  let stopped = false
  const logged = new Map<Tick, { message: string; until: number }>()

  const logFailure = (tick: Tick, error: unknown): void => {
    // That the database is unavailable is logged elsewhere, once.
    if (isQuiet(error)) return
    const message = error instanceof Error ? error.message : String(error)
    const last = logged.get(tick)
    if (last?.message === message && last.until > performance.now()) return
    logged.set(tick, { message, until: performance.now() + logAgainMs })
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
          logFailure(tick, error)
          again = true
        }
        if (stopped) return
      }
    }
    return { running: loop(), ring: pause.ring }
  }
  const all = ticks.map(run)

  return {
    /** Waits for running work, then does once more, in order, work that would be lost. Another process does the rest. */
    async stop() {
      stopped = true
      for (const { ring } of all) ring()
      await Promise.all(all.map(({ running }) => running))
      for (const { isDoneAtStop, work } of ticks) if (isDoneAtStop) await work().catch(() => {})
    },
  }
}

import type { Log } from '#kernel/world.ts'

export type Tick = { name: string; everyMs: number; work(): Promise<void> }

// What fails four times a second is not told four times a second.
const tellAgainMs = 60_000

/** Does small regular work: never twice at once, never less often because it failed. */
export function startTicks(
  ticks: readonly Tick[],
  log: Log,
  isQuiet: (error: unknown) => boolean,
): { stop(): Promise<void> } {
  let stopped = false
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()

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

  const run = (tick: Tick): void => {
    const once = Promise.resolve()
      .then(() => tick.work())
      .catch((error: unknown) => tell(tick, error))
      .then(() => {
        running.delete(once)
        if (!stopped) schedule(tick)
      })
    running.add(once)
  }
  const schedule = (tick: Tick): void => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run(tick)
    }, tick.everyMs)
    timers.add(timer)
  }
  for (const tick of ticks) schedule(tick)

  return {
    /** Waits for what runs, then does everything once more, in order, so that nothing is left for the next start. */
    async stop() {
      stopped = true
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(running)
      for (const tick of ticks) await tick.work().catch(() => {})
    },
  }
}

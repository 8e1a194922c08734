import type { Log } from '#kernel/world.ts'

export type Tick = { name: string; everyMs: number; work(): Promise<void> }

/** Does small regular work: never twice at once, never less often because it failed. */
export function startTicks(
  ticks: readonly Tick[],
  log: Log,
  isQuiet: (error: unknown) => boolean,
): { stop(): Promise<void> } {
  let stopped = false
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()

  const run = (tick: Tick): void => {
    const once = tick
      .work()
      .catch((error: unknown) => {
        // While the database is away it is told of elsewhere, once.
        if (!isQuiet(error)) log.error({ err: error, tick: tick.name }, 'regular work failed')
      })
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
    /** Waits for what runs, then does everything once more, so that nothing is left for the next start. */
    async stop() {
      stopped = true
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(running)
      await Promise.all(ticks.map((tick) => tick.work().catch(() => {})))
    },
  }
}

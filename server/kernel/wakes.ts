/**
 * Wakes loops that rest until there may be work. Work comes from changes: so whatever this program commits, in any
 * process, wakes the loops that look for work. What is due at some time needs no change, see `openRest`. While nothing
 * is changed and nothing is due, no loop runs. Why: docs/decisions/0123-an-idle-server-rests.md.
 */
export type Wakes = {
  /** The number of wakes so far: a loop that checked when it was the same has seen everything. */
  readonly count: number
  /** Whether changes of other processes are received. While they are not, loops check for work regularly. */
  readonly isHearing: boolean
  /** Called at each wake; returns how to stop that. */
  onWake(listener: () => void): () => void
}

export type Wakeable = Wakes & { wake(): void }

/** Wakes of this process, and those of others. */
export function openWakes(others?: Wakes): Wakeable {
  let count = 0
  const listeners = new Set<() => void>()
  const wake = (): void => {
    count++
    for (const listener of listeners) listener()
  }
  others?.onWake(wake)
  return {
    get count() {
      return count
    },
    get isHearing() {
      return others?.isHearing ?? true
    },
    onWake(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    wake,
  }
}

/** For a loop that nothing wakes: it checks regularly. */
export const neverWoken: Wakes = { count: 0, isHearing: false, onWake: () => () => {} }

/** Work that could not be done, or not all of it, and that no change will announce: its loop checks again soon. */
export type Again = 'again'

/**
 * How long a loop rests at most, if nothing wakes it: for changes that a process could not announce because it was
 * killed.
 */
export const restMsMax = 600_000
// A loop that checks at least this often checks at once when woken; others within their usual interval.
const promptMs = 1_000
// A loop that was not woken for this long reads what is due next, and rests.
const quietMs = 250
// Longer timers may not count the time for which a machine was suspended.
const timerMsMax = 60_000

export type RestParts = {
  wakes: Wakes
  now: () => Date
  /** How long to rest at least, and while there are changes. */
  everyMs: number
  /** How long to rest at most. */
  mostMs?: number
  /**
   * When there is something to do that no change announces, such as something that ends at a time; of what is due
   * before a time.
   */
  nextDue?: (before: Date) => Promise<Date | null>
}

export type Rest = {
  /** There is something to do, at once. */
  ring(): void
  /** `seen`: the count of wakes when the last check began. `again`: check again in any case. */
  rest(seen: number, options?: { again?: boolean; everyMs?: number }): Promise<void>
}

/**
 * Lets a loop that looks for work rest between checks: a moment while there are changes, and otherwise until there may
 * be work.
 */
export function openRest({ wakes, now, everyMs: usualMs, mostMs = restMsMax, nextDue }: RestParts): Rest {
  let isRung = false
  let interrupt = (): void => {}

  const wait = async (ms: number): Promise<void> => {
    if (isRung || ms <= 0) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      interrupt = resolve
      timer = setTimeout(resolve, Math.min(ms, timerMsMax))
    })
    clearTimeout(timer)
  }
  const pause = async (ms: number): Promise<void> => {
    for (const until = performance.now() + ms; !isRung && performance.now() < until; )
      await wait(until - performance.now())
  }
  const untilWork = async (seen: number, everyMs: number): Promise<void> => {
    const begun = performance.now()
    // Spread, so that not all loops run in the same moment, ten minutes after the last change.
    const until = begun + Math.max(mostMs * (0.5 + Math.random() / 2), everyMs)
    const isStill = (): boolean => !isRung && wakes.isHearing && wakes.count === seen
    const forget = wakes.onWake(() => interrupt())
    try {
      // While changes keep coming, what is due is found by checking.
      if (nextDue) await wait(Math.min(everyMs, quietMs))
      const due = nextDue && isStill() ? await nextDue(new Date(now().getTime() + mostMs)) : null
      while (isStill()) {
        const dueMs = due ? due.getTime() - now().getTime() : Number.POSITIVE_INFINITY
        const leftMs = Math.min(until - performance.now(), dueMs)
        if (leftMs <= 0) break
        await wait(leftMs)
      }
    } finally {
      forget()
    }
    const isWoken = wakes.count !== seen
    await pause(isWoken && everyMs > promptMs ? everyMs : everyMs - (performance.now() - begun))
  }

  return {
    ring() {
      isRung = true
      interrupt()
    },
    async rest(seen, { again = false, everyMs = usualMs } = {}) {
      if (again || !wakes.isHearing || wakes.count !== seen) await pause(everyMs)
      // If what is due cannot be read, checks again soon.
      else await untilWork(seen, everyMs).catch(() => pause(everyMs))
      isRung = false
    },
  }
}

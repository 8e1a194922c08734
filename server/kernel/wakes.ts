/**
 * Wakes whoever rests until there may be work. Work comes from changes: so whatever this program commits, in any process, wakes
 * those that look for work. What is due at some time wakes by itself, see `openRest`. While nothing is changed and nothing is
 * due, nobody looks. Why: docs/decisions/0123-an-idle-server-rests.md.
 */
export type Wakes = {
  /** Of wakes so far: who looked when it was the same has seen everything. */
  readonly count: number
  /** Whether changes of other processes are heard of. While they are not, those who look for work do so regularly. */
  readonly isHearing: boolean
  /** Called at each wake; answers how to stop that. */
  onWake(listener: () => void): () => void
}

export type Wakeable = Wakes & { wake(): void }

/** Wakes of its own, and those of others. */
export function openWakes(others?: Wakes): Wakeable {
  let count = 0
  const listeners = new Set<() => void>()
  const wake = (): void => {
    count++
    for (const tell of listeners) tell()
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

/** For who has nobody to wake him: he looks regularly. */
export const neverWoken: Wakes = { count: 0, isHearing: false, onWake: () => () => {} }

/** Work that could not be done, or not all of it, and that nobody will tell of: whoever does it looks again soon. */
export type Again = 'again'

/** How long one rests at most, should nothing wake him: for what a process that was killed could no longer tell of. */
export const restMsMax = 600_000
// Who looks at least so often looks at once when he is woken; others within the time that they are used to.
const promptMs = 1_000
// Who was not woken for so long asks what is due, and rests.
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
  /** When there is something to do that nobody will tell of, as what ends at a time; of what is due before a time. */
  nextDue?: (before: Date) => Promise<Date | null>
}

export type Rest = {
  /** There is something to do, at once. */
  ring(): void
  /** `seen`: the count of wakes when the last look began. Who has to look again in any case says so. */
  rest(seen: number, options?: { again?: boolean; everyMs?: number }): Promise<void>
}

/** Lets one who looks for work rest between looks: a moment while there are changes, and else until there may be work. */
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
    // Not all of them in the same moment, ten minutes after the last change.
    const until = begun + Math.max(mostMs * (0.5 + Math.random() / 2), everyMs)
    const isStill = (): boolean => !isRung && wakes.isHearing && wakes.count === seen
    const forget = wakes.onWake(() => interrupt())
    try {
      // While there are changes time and again, what is due is found by looking.
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
      // Who cannot tell what is due looks again soon.
      else await untilWork(seen, everyMs).catch(() => pause(everyMs))
      isRung = false
    },
  }
}

import type { Db } from '#kernel/sql.ts'

/** Whether the database is available: while it is unavailable, statements are refused at once rather than left waiting. */
export type Presence = {
  readonly isHere: boolean
  /** The same, up to date: checked within the last second. */
  look(): Promise<boolean>
  /** Reports that a statement failed as it does when the database becomes unavailable; this is checked at once. */
  suspect(): void
  /** Whether it was available at the last check; reading this starts no check. */
  readonly wasHere: boolean
  /** Called whenever it becomes unavailable. */
  onAway(listener: () => void): void
  /** The same for a caller that waits, and has it checked regularly until then; returns how to stop that. */
  onceAway(listener: () => void): () => void
  stop(): void
}

/** While a caller waits. */
const lookWhileUsedMs = 1000
/** While none does: then it is checked when a caller asks. Lost connections are reported at once, see `suspect`. */
const lookWhileIdleMs = 60_000
const lookWhileAwayMs = 100
const answerWithinMs = 2000

/** Errors of the connection rather than of the statement: from the driver, the network, or PostgreSQL itself. */
export function isAbsence(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string') return false
  // 08 connection; 57P01-57P05 shut down, crashed, starting up, dropped, idle; 53300 out of connections; 58 the system.
  return /^(08...|57P0[1-5]|53300|58...|CONNECT(ION)?_\w+|CONNECTION_\w+|E(CONN|PIPE|NOENT|NOTFOUND|HOST|NET|TIMEDOUT|AI_)\w*)$/.test(
    code,
  )
}

// A timer that is later than this was delayed, and so may the reply have been.
const lateMs = 200

/** Fails unless the work is done within a time in which this process could have received the reply. */
const within = <T>(milliseconds: number, work: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout
  const wait = (): void => {
    const due = performance.now() + milliseconds
    timer = setTimeout(() => {
      // After the process did not run for a while, as when the machine was asleep or too busy, timers come before what
      // was received.
      if (performance.now() - due > lateMs) wait()
      else reject(new Error('no answer'))
    }, milliseconds)
  }
  wait()
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

const hangUp = (probe: Db): void => void probe.end(0).catch(() => {})

/** Checks the database on a connection that nothing else uses: statements that wait do not mean that it is unavailable. */
export function watchPresence(openProbe: () => Db, onChange: (isHere: boolean) => void = () => {}): Presence {
  let probe = openProbe()
  let isHere = true
  let stopped = false
  let looking: Promise<void> | null = null
  let lookedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const waiting = new Set<() => void>()
  const always = new Set<() => void>()

  const become = (next: boolean): void => {
    if (next === isHere) return
    isHere = next
    onChange(next)
    if (!next) for (const listener of [...waiting, ...always]) listener()
  }

  const lookNow = async (): Promise<void> => {
    clearTimeout(timer)
    try {
      await within(answerWithinMs, probe`select 1`)
      become(true)
    } catch {
      become(false)
      // A connection that no longer responds may never do so again.
      hangUp(probe)
      if (!stopped) probe = openProbe()
    }
    looking = null
    lookedAt = performance.now()
    schedule()
  }
  const schedule = (): void => {
    clearTimeout(timer)
    const pauseMs = !isHere ? lookWhileAwayMs : waiting.size > 0 ? lookWhileUsedMs : lookWhileIdleMs
    if (!stopped) timer = setTimeout(() => void look(), pauseMs).unref()
  }
  const look = (): Promise<void> => {
    if (stopped) return Promise.resolve()
    looking ??= lookNow()
    return looking
  }
  const isOld = (): boolean => performance.now() - lookedAt >= lookWhileUsedMs
  void look()

  return {
    get isHere() {
      if (isHere && isOld()) void look()
      return isHere
    },
    async look() {
      if (isHere && isOld()) await look()
      return isHere
    },
    // One broken connection does not mean that the database is unavailable: only a check can find out.
    suspect: () => void look(),
    get wasHere() {
      return isHere
    },
    onAway: (listener) => void always.add(listener),
    onceAway(listener) {
      waiting.add(listener)
      if (waiting.size === 1 && isHere && looking === null) schedule()
      return () => waiting.delete(listener)
    },
    stop() {
      stopped = true
      clearTimeout(timer)
      hangUp(probe)
    },
  }
}

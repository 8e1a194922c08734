import type { Db } from '#kernel/sql.ts'
import type { Log, World } from '#kernel/world.ts'

/** The clock of a server. Tests replace it. */
export type Clock = {
  now: () => Date
  /** Runs evenly, also when the clock is set; milliseconds since any moment. */
  monotonicMs: () => number
  databaseNow: (db: Db) => Promise<Date>
  /** How long the clock must have run evenly before anything expires by it: after a start, and after a jump. */
  settleMs: { afterStart: number; afterJump: number }
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  async databaseNow(db) {
    const [row] = await db<{ at: Date }[]>`select clock_timestamp() as at`
    return row?.at as Date
  },
  // A server cannot detect that the clock was set while it was stopped, only that it is set while it runs.
  settleMs: { afterStart: 5_000, afterJump: 300_000 },
}

/** The clock shows an impossible time: work that depends on it waits. */
export class ClockInDoubt extends Error {
  override name = 'ClockInDoubt'
}

export type WatchedClock = {
  /** Why the clock is not trusted at the moment; null while it is. */
  readonly doubt: string | null
  /** Whether the clock has jumped, and has not run evenly for long enough since. */
  hasJumped(): boolean
  /** How long ago it last jumped, by the monotonic clock; infinite if it never has. */
  sinceJumpMs(): number
  /** The time; after a jump, not later than the time before it plus the time that has passed since. */
  steadyNow(): Date
  /** Compares it with the database's, unless that was done within the last second. */
  look(): Promise<void>
  /** Whether things may end permanently: no jump, the same time in the database, and both for long enough. */
  isSettled(): Promise<boolean>
  /** The same world, but its clock throws `ClockInDoubt` from the moment that it jumps. */
  guarded(world: World): World
}

// Clocks are corrected by running them faster or slower by at most 1 in 2,000 (ntp_adjtime(2)): that is 30 ms per minute.
const jumpMsMin = 2000
const anchorMsMax = 60_000
const disagreeMsMin = 5000

const lookMs = 1_000

const seconds = (milliseconds: number): string => `${(Math.abs(milliseconds) / 1000).toFixed(1)} s`

const whatWaits = (clock: Clock): string =>
  `access expires only after it has been correct for ${seconds(clock.settleMs.afterJump)}`

/** Why the clock is in doubt, and until when. */
function openDoubt(kind: string, clock: Clock, log: Log) {
  let current: { why: string; lastMs: number } | null = null
  return {
    why: (): string | null => current?.why ?? null,
    raise(why: string): void {
      // A disagreement is found every second, and logged once. Each jump is logged separately.
      if (!current || kind === 'jump') log.warn(`${why}: ${whatWaits(clock)}; everything else continues`)
      current = { why, lastMs: clock.monotonicMs() }
    },
    settle(): void {
      if (!current || clock.monotonicMs() - current.lastMs < clock.settleMs.afterJump) return
      log.info(`the clock is trusted again after a ${kind}`)
      current = null
    },
  }
}

/**
 * A decision by the time is corrected when the clock is read again. Ending something permanently is not. So nothing ends
 * while the clock is in doubt: when it has moved differently from the machine's monotonic clock, or differs from that of
 * the database. A machine that was suspended looks just like a clock that was set forward; that is accepted too, once
 * the clock has run evenly for a while. Everything else continues meanwhile.
 */
export function watchClock(clock: Clock, db: Db, log: Log): WatchedClock {
  const startedMs = clock.monotonicMs()
  let anchor = { wallMs: clock.now().getTime(), monotonicMs: startedMs }
  /** What the clock was when it was last trusted; null while it is trusted. */
  let before: typeof anchor | null = null
  let jumpedMs = Number.NEGATIVE_INFINITY
  const jump = openDoubt('jump', clock, log)
  const disagreement = openDoubt('disagreement', clock, log)

  /** Reads the clock, and compares it with how much time has passed. */
  const read = (): Date => {
    const at = clock.now()
    const monotonicMs = clock.monotonicMs()
    const passedMs = monotonicMs - anchor.monotonicMs
    const jumpMs = at.getTime() - anchor.wallMs - passedMs
    const isJump = Math.abs(jumpMs) >= jumpMsMin
    if (isJump) {
      before ??= anchor
      jumpedMs = monotonicMs
      jump.raise(`the clock jumped ${jumpMs > 0 ? 'forward' : 'back'} by ${seconds(jumpMs)}`)
    } else {
      jump.settle()
      if (jump.why() === null) before = null
    }
    if (isJump || passedMs >= anchorMsMax) anchor = { wallMs: at.getTime(), monotonicMs }
    return at
  }

  let comparedMs = Number.NEGATIVE_INFINITY
  const compare = async (): Promise<void> => {
    const askedMs = clock.monotonicMs()
    comparedMs = askedMs
    const theirs = await clock.databaseNow(db)
    const tookMs = clock.monotonicMs() - askedMs
    const aheadMs = theirs.getTime() - (read().getTime() - tookMs / 2)
    if (Math.abs(aheadMs) < disagreeMsMin + tookMs / 2) disagreement.settle()
    else {
      const where = aheadMs > 0 ? 'ahead of' : 'behind'
      disagreement.raise(`the database's clock is ${where} this server's by ${seconds(aheadMs)}`)
    }
  }

  const hasJumped = (): boolean => {
    read()
    return jump.why() !== null
  }

  return {
    get doubt() {
      const why = hasJumped() ? jump.why() : disagreement.why()
      return why && `${why}; ${whatWaits(clock)}`
    },
    hasJumped,
    sinceJumpMs() {
      read()
      return clock.monotonicMs() - jumpedMs
    },
    steadyNow() {
      const at = read()
      return before ? new Date(Math.min(at.getTime(), before.wallMs + clock.monotonicMs() - before.monotonicMs)) : at
    },
    async look() {
      if (clock.monotonicMs() - comparedMs >= lookMs) await compare()
    },
    async isSettled() {
      await compare()
      const hasStarted = clock.monotonicMs() - startedMs >= clock.settleMs.afterStart
      return hasStarted && !hasJumped() && disagreement.why() === null
    },
    guarded: (world) => ({
      ...world,
      now() {
        const at = read()
        const why = jump.why()
        if (why !== null) throw new ClockInDoubt(why)
        return at
      },
    }),
  }
}

import type { Db } from '#kernel/sql.ts'
import { openRest, type Wakes } from '#kernel/wakes.ts'
import { endLease, isLeasedToOther, sessionLock, takeLease } from './lease-store.ts'

export { endAllLeases, endLeasesOf } from './lease-store.ts'

/** How long a lease lasts, and how often its owner renews it, and others try to take it. */
const usual = { leaseMs: 5_000, everyMs: 1_000 }
/** The same for an owner whose death is seen sooner: its session ends with it. */
const inSession = { leaseMs: 15_000, everyMs: 5_000 }
const secondsMax = inSession.leaseMs / 1000
/** How often the processes of one server, together, look whether the owner has died. */
const lookMs = 2_000

export type Lease = {
  isHeld(): boolean
  /** Lets it go, so that another has it at once. */
  stop(): Promise<void>
}

export type LeaseParts = {
  name: string
  /** Of those that are held in sessions each has another. */
  number?: number
  owner: string
  mayHold(): boolean
  /** Told that it is held now, and was not before. */
  onHeld?(): void
  /** A session that lasts as long as this process: it holds a lock that others see. */
  session?: Session
  /** Wakes those who wait for it: whoever lets go of it makes a change. */
  wakes: Wakes
  /** How many processes of this server wait for it. */
  processes?: number
}

type Session = {
  onLost(tell: () => void): void
  /** False where there is no session, or another one has the lock. */
  holdLock(key: readonly [number, number]): Promise<boolean>
  releaseLock(key: readonly [number, number]): Promise<void>
}

/**
 * Holds a lease whenever nobody else does. Whoever is killed is followed when its session is seen to have ended, or its lease
 * is over. The owner stops believing in it sooner, by its own monotonic clock, counted from before it asked: so there are never
 * two at once, also when a process or its connection had stood still.
 */
export function holdLease(
  db: Db,
  { name, number = 1, owner, mayHold, onHeld, session, wakes, processes = 1 }: LeaseParts,
): Lease {
  const lock = sessionLock(number)
  let heldUntil = 0
  let isStopped = false
  let hasSession = false

  const isHeld = (): boolean => performance.now() < heldUntil
  const letGo = async (): Promise<void> => {
    const wasHeld = heldUntil > 0
    heldUntil = 0
    // Where the database is unavailable, it ends by itself.
    if (wasHeld) await endLease(db, owner, name).catch(() => {})
    if (hasSession) await session?.releaseLock(lock).catch(() => {})
    hasSession = false
  }
  const take = async (): Promise<void> => {
    const wasHeld = isHeld()
    if (wasHeld && !hasSession) hasSession = (await session?.holdLock(lock).catch(() => false)) ?? false
    const { leaseMs } = hasSession ? inSession : usual
    const askedAt = performance.now()
    const asked = { name, number, owner, seconds: leaseMs / 1000, hasSession }
    const isOurs = await takeLease(db, asked, secondsMax).catch(() => null)
    if (isOurs !== null) heldUntil = isOurs ? askedAt + leaseMs : 0
    if (isHeld() && !wasHeld) onHeld?.()
  }
  /** One who does not hold it looks first: to ask for it locks its row, and writes. */
  const look = async (): Promise<void> => {
    if (!mayHold()) return letGo()
    if (!isHeld() && (await isLeasedToOther(db, { name, number, owner }, secondsMax).catch(() => false))) heldUntil = 0
    else await take()
  }

  // Woken by changes only while it waits: letting go of it is one.
  const { rest, ring } = openRest({ wakes, now: () => new Date(), everyMs: usual.everyMs, mostMs: lookMs * processes })
  session?.onLost(() => {
    // Others see that the lock is gone.
    hasSession = false
    heldUntil = 0
    ring()
  })
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const seen = wakes.count
      await look()
      if (isStopped) return
      if (isHeld()) await rest(seen, { again: true, everyMs: hasSession ? inSession.everyMs : usual.everyMs })
      else await rest(seen)
    }
  }
  const running = run()

  return {
    isHeld,
    async stop() {
      isStopped = true
      ring()
      await running
      await letGo()
    },
  }
}

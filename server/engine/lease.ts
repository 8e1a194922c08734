import type { Db } from '#kernel/sql.ts'
import { openRest, type Wakes } from '#kernel/wakes.ts'
import { endLease, isLeasedToOther, sessionLock, takeLease } from './lease-store.ts'

export { endAllLeases, endLeasesOf } from './lease-store.ts'

/** How long a lease lasts, and how often its owner renews it and others try to take it. */
const usual = { leaseMs: 5_000, everyMs: 1_000 }
/** The same for an owner whose death is noticed sooner: its session ends with it. */
const inSession = { leaseMs: 15_000, everyMs: 5_000 }
const secondsMax = inSession.leaseMs / 1000
/** How often the processes of one server, together, check whether the owner has died. */
const lookMs = 2_000

export type Lease = {
  isHeld(): boolean
  /** Releases it, so that another process can have it at once. */
  stop(): Promise<void>
}

export type LeaseParts = {
  name: string
  /** Different for each lease that is held in a session. */
  number?: number
  owner: string
  mayHold(): boolean
  /** Called when it is held and was not before. */
  onHeld?(): void
  /** A session that lasts as long as this process: it holds a lock that others see. */
  session?: Session
  /** Wakes the processes that wait for it: releasing it is a change. */
  wakes: Wakes
  /** How many processes of this server wait for it. */
  processes?: number
}

type Session = {
  onLost(notify: () => void): void
  /** False if there is no session, or another one has the lock. */
  holdLock(key: readonly [number, number]): Promise<boolean>
  releaseLock(key: readonly [number, number]): Promise<void>
}

/**
 * Holds a lease whenever no other process does. An owner that is killed is replaced when its session is seen to have ended,
 * or its lease has expired. The owner treats it as expired sooner, by its own monotonic clock, counted from before its
 * request: so there are never two owners at once, also when a process or its connection had stalled.
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
    // If the database is unavailable, the lease expires.
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
  /** A process that does not hold it reads it first: requesting it locks its row, and writes. */
  const look = async (): Promise<void> => {
    if (!mayHold()) return letGo()
    if (!isHeld() && (await isLeasedToOther(db, { name, number, owner }, secondsMax).catch(() => false))) heldUntil = 0
    else await take()
  }

  // Changes wake it only while it waits: releasing the lease is one.
  const { rest, ring } = openRest({ wakes, now: () => new Date(), everyMs: usual.everyMs, mostMs: lookMs * processes })
  session?.onLost(() => {
    // Other processes see that the lock is free.
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

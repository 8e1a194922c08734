import type { Db } from '#kernel/sql.ts'
import { endLease, takeLease } from './lease-store.ts'

export { endAllLeases, endLease } from './lease-store.ts'

/** How long a lease lasts, and how often its owner renews it, and others try to take it. */
const leaseMs = 5_000
const everyMs = 1_000

export type Lease = {
  isHeld(): boolean
  /** Lets it go, so that another has it within a second. */
  stop(): Promise<void>
}

/**
 * Holds a lease whenever nobody else does. Whoever is killed is followed when its lease is over. The owner stops believing
 * in it sooner, by its own monotonic clock, counted from before it asked: so there are never two at once, also when a
 * process or its connection had stood still.
 */
export function holdLease(
  db: Db,
  { name, owner, mayHold }: { name: string; owner: string; mayHold(): boolean },
): Lease {
  let heldUntil = 0
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  const letGo = async (): Promise<void> => {
    const wasHeld = heldUntil > 0
    heldUntil = 0
    // Where the database is unavailable, it ends by itself.
    if (wasHeld) await endLease(db, owner).catch(() => {})
  }
  const look = async (): Promise<void> => {
    const askedAt = performance.now()
    if (!mayHold()) await letGo()
    else {
      const isOurs = await takeLease(db, name, owner, leaseMs / 1000).catch(() => null)
      if (isOurs !== null) heldUntil = isOurs ? askedAt + leaseMs : 0
    }
    if (!isStopped) timer = setTimeout(lookAgain, everyMs).unref()
  }
  let looking = look()
  function lookAgain(): void {
    looking = look()
  }

  return {
    isHeld: () => performance.now() < heldUntil,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await looking
      await letGo()
    },
  }
}

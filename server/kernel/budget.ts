import type { World } from './world.ts'

/** Counts against a limit for each key that refills with time: a token bucket, in bounded memory. */
export type Budget = {
  /** Takes one. Returns how many were refused since the last that was not, or null if this one is refused. */
  take(key: string): number | null
  /** Seconds until the next one can be taken. */
  waitSeconds(key: string): number
  /** Sets how much is left: other processes have taken from it too. */
  set(key: string, left: number): void
}

type Bucket = { left: number; at: number; refused: number }

const keysMax = 10_000
// How many of the oldest are checked to make room for a new key.
const looksMax = 16

/**
 * When there are too many keys, only those are removed whose budget is full again, for which it makes no difference. If
 * there is none, new keys share one budget: nobody gets a full one by having others removed.
 */
export function budget(
  { now }: Pick<World, 'now'>,
  limit: { burst: number; perSecond: number },
  keysAtMost = keysMax,
): Budget {
  const buckets = new Map<string, Bucket>()
  const shared: Bucket = { left: limit.burst, at: now().getTime(), refused: 0 }

  const refill = (bucket: Bucket, at: number): Bucket => {
    bucket.left = Math.min(limit.burst, bucket.left + (Math.max(0, at - bucket.at) / 1000) * limit.perSecond)
    bucket.at = at
    return bucket
  }
  const makeRoom = (at: number): boolean => {
    let looks = 0
    for (const [key, bucket] of buckets) {
      if (refill(bucket, at).left >= limit.burst) {
        // Its unreported refusals are counted with the next take from the shared budget.
        shared.refused += bucket.refused
        return buckets.delete(key)
      }
      if (++looks >= looksMax) return false
    }
    return false
  }
  const bucketOf = (key: string): Bucket => {
    const at = now().getTime()
    const known = buckets.get(key)
    if (known) {
      // Moved to the end, so that the first in the map is the one that was unused for longest.
      buckets.delete(key)
      buckets.set(key, known)
      return refill(known, at)
    }
    if (buckets.size >= keysAtMost && !makeRoom(at)) return refill(shared, at)
    const bucket = { left: limit.burst, at, refused: 0 }
    buckets.set(key, bucket)
    return bucket
  }
  return {
    take(key) {
      const bucket = bucketOf(key)
      if (bucket.left < 1) {
        bucket.refused++
        return null
      }
      const { refused } = bucket
      bucket.left -= 1
      bucket.refused = 0
      return refused
    },
    set(key, left) {
      bucketOf(key).left = Math.min(limit.burst, left)
    },
    waitSeconds: (key) => Math.max(1, Math.ceil((1 - bucketOf(key).left) / limit.perSecond)),
  }
}

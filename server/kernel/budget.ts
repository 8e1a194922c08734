import type { World } from './world.ts'

/** Counts against a limit for each key that refills with time: a token bucket, in bounded memory. */
export type Budget = {
  /** Takes one: how many were refused since the last that was not, or null when this one is refused. */
  take(key: string): number | null
  /** Seconds until one would be taken again. */
  waitSeconds(key: string): number
}

const keysMax = 10_000

export function budget({ now }: Pick<World, 'now'>, limit: { burst: number; perSecond: number }): Budget {
  const buckets = new Map<string, { left: number; at: number; refused: number }>()
  const bucketOf = (key: string) => {
    const at = now().getTime()
    const known = buckets.get(key)
    // Put last, so that the first in the map is the one that was longest not asked for.
    buckets.delete(key)
    const left = known
      ? Math.min(limit.burst, known.left + (Math.max(0, at - known.at) / 1000) * limit.perSecond)
      : limit.burst
    const bucket = { left, at, refused: known?.refused ?? 0 }
    buckets.set(key, bucket)
    if (buckets.size > keysMax) buckets.delete(buckets.keys().next().value as string)
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
    waitSeconds: (key) => Math.max(1, Math.ceil((1 - bucketOf(key).left) / limit.perSecond)),
  }
}

import { setTimeout as sleep } from 'node:timers/promises'

/** While requests are served, deliveries take no more than about a twentieth of the event loop, at some 200 µs each. */
const perSecondBusy = 200
const busyMin = 0.3
const weight = 0.02

/**
 * Lets deliveries go as fast as they can while nobody uses the API, and slowly while it is in use. Whether it is in use is looked at
 * before each of them.
 */
export function openPace(isBusy: () => boolean): () => Promise<void> | undefined {
  let busy = 0
  let nextMs = 0
  return () => {
    busy += ((isBusy() ? 1 : 0) - busy) * weight
    if (busy < busyMin) return undefined
    const now = performance.now()
    nextMs = Math.max(nextMs, now) + 1_000 / perSecondBusy
    return sleep(nextMs - now)
  }
}

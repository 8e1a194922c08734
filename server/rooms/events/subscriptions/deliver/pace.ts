import { setTimeout as sleep } from 'node:timers/promises'

/** What is known of the API: how many requests are being served, and how many were so far. */
export type ApiLoad = { running(): number; served(): number }

/** While the API is in use: one delivery for 67 requests, and a few per second in any case. With one for 25 the API served 0.78 of what it serves alone. */
const perRequest = 0.015
const perSecondMin = 5
const creditMax = 5
const busyMin = 0.3
const weight = 0.02
const lookAgainMs = 20

/**
 * Lets deliveries go as fast as they can while nobody uses the API, and by the number of requests while it is in use: a rate that is right for
 * one machine is too much for a slower one. Whether it is in use is looked at before each of them.
 */
export function openPace(load: ApiLoad): () => Promise<void> | undefined {
  let busy = 0
  let credit = creditMax
  let known = { served: load.served(), atMs: performance.now() }

  const mayGo = (): boolean => {
    busy += ((load.running() > 0 ? 1 : 0) - busy) * weight
    const now = { served: load.served(), atMs: performance.now() }
    const gained = (now.served - known.served) * perRequest + ((now.atMs - known.atMs) / 1000) * perSecondMin
    credit = Math.min(creditMax, credit + gained)
    known = now
    if (busy < busyMin) return true
    if (credit < 1) return false
    credit -= 1
    return true
  }
  const wait = async (): Promise<void> => {
    while (!mayGo()) await sleep(lookAgainMs)
  }
  return () => (mayGo() ? undefined : wait())
}

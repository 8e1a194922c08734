/** The load of the API: how many requests are being served, and how many were served so far. */
export type ApiLoad = { running(): number; served(): number }

/**
 * While the API is in use: one delivery per 133 requests, and at least a few per second. With one per 67 the API served 0.85
 * of what it serves alone, with this 0.91.
 */
const perRequest = 0.0075
const perSecondMin = 5
/**
 * This many are sent together: one at a time they cost twice as much, because each wakes the sender, the receiver and
 * everything in between.
 */
const burst = 20
const busyMin = 0.3
const weight = 0.02
const lookAgainMs = 20

/**
 * Sends deliveries as fast as possible while nobody uses the API, and in proportion to the number of requests while it is in
 * use: a fixed rate that suits one machine is too high for a slower one. Checks before each delivery whether the API is in
 * use.
 */
export function openPace(load: ApiLoad): () => Promise<void> | undefined {
  let busy = 0
  let credit = burst
  let known = { served: load.served(), atMs: performance.now() }
  const waiting: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined

  const isFree = (): boolean => {
    busy += ((load.running() > 0 ? 1 : 0) - busy) * weight
    const now = { served: load.served(), atMs: performance.now() }
    const gained = (now.served - known.served) * perRequest + ((now.atMs - known.atMs) / 1000) * perSecondMin
    credit = Math.min(burst, credit + gained)
    known = now
    return busy < busyMin
  }
  const letGo = (count: number): void => {
    for (const go of waiting.splice(0, count)) go()
    if (waiting.length > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const look = (): void => {
    if (isFree()) return letGo(waiting.length)
    const count = Math.min(waiting.length, burst)
    if (credit < count) return
    credit -= count
    letGo(count)
  }
  return () => {
    if (isFree()) return undefined
    timer ??= setInterval(look, lookAgainMs)
    return new Promise((go) => waiting.push(go))
  }
}

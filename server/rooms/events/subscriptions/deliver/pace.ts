/** What is known of the API: how many requests are being served, and how many were so far. */
export type ApiLoad = { running(): number; served(): number }

/** While the API is in use: one delivery per 133 requests, and a few per second in any case. With one per 67 the API served 0.85 of what it serves alone, with this 0.91. */
const perRequest = 0.0075
const perSecondMin = 5
/** So many go together: one at a time they cost twice as much, because each wakes the sender, the receiver and what is between them. */
const burst = 20
const busyMin = 0.3
const weight = 0.02
const lookAgainMs = 20

/**
 * Lets deliveries go as fast as they can while nobody uses the API, and by the number of requests while it is in use: a rate that is right for
 * one machine is too much for a slower one. Whether it is in use is looked at before each of them.
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

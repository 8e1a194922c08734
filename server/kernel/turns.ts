import { serverBusy } from './refusals.ts'
import { tooMuchAtOnce } from './workers.ts'

export type TurnsOptions = {
  /** How many of one key may run at once, and how many of all. */
  perKey: number
  inAll: number
  /** How many of one key may wait, and for how long. */
  waitingMax: number
  waitMs: number
}

export type Turns = {
  /** Waits for its turn, works, and then starts the next one. */
  take<T>(key: string, signal: AbortSignal | null, work: () => Promise<T>): Promise<T>
}

type Waiting = { begin(): void }

/** Limits work that holds something scarce, such as connections: no key takes them all, and keys take turns. */
export function openTurns({ perKey, inAll, waitingMax, waitMs }: TurnsOptions): Turns {
  const underWay = new Map<string, number>()
  /** In the order of their turns. */
  const waiting = new Map<string, Waiting[]>()
  let total = 0

  function admit(): void {
    while (total < inAll) {
      const key = [...waiting.keys()].find((each) => (underWay.get(each) ?? 0) < perKey)
      if (key === undefined) return
      const [first, ...others] = waiting.get(key) as Waiting[]
      waiting.delete(key)
      if (others.length > 0) waiting.set(key, others)
      total++
      underWay.set(key, (underWay.get(key) ?? 0) + 1)
      first?.begin()
    }
  }

  function leave(key: string): void {
    total--
    const left = (underWay.get(key) ?? 1) - 1
    if (left === 0) underWay.delete(key)
    else underWay.set(key, left)
    admit()
  }

  function wait(key: string, signal: AbortSignal | null): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const others = waiting.get(key) ?? []
    if (signal?.aborted) reject(signal.reason as Error)
    else if (others.length >= waitingMax) reject(tooMuchAtOnce())
    else {
      const stop = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const giveUp = (error: unknown): void => {
        stop()
        const left = (waiting.get(key) ?? []).filter((each) => each !== own)
        if (left.length > 0) waiting.set(key, left)
        else waiting.delete(key)
        reject(error)
      }
      const abort = (): void => giveUp(signal?.reason)
      // Within the number that may wait: if it takes long, the request is not at fault.
      const timer = setTimeout(() => giveUp(serverBusy('The turn of this request did not come')), waitMs)
      const own: Waiting = {
        begin() {
          stop()
          resolve()
        },
      }
      signal?.addEventListener('abort', abort, { once: true })
      waiting.set(key, [...others, own])
      admit()
    }
    return promise
  }

  return {
    async take(key, signal, work) {
      await wait(key, signal)
      try {
        return await work()
      } finally {
        leave(key)
      }
    },
  }
}

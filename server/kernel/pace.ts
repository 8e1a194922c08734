import { startWait } from './waiting.ts'

export type Pace = { windowMs: number; bytesPerSecondMin: number }

/**
 * Waits for the pieces of a stream, and refuses a client that sends too little in a period of waiting. The time that
 * this process takes itself does not count, nor the time in which the machine keeps it from reading.
 */
export function paceOf<T>({ windowMs, bytesPerSecondMin }: Pace, bytesIn: (piece: T) => number, tooSlow: () => Error) {
  let waitedMs = 0
  let bytes = 0
  return async (next: Promise<IteratorResult<T, undefined>>): Promise<IteratorResult<T, undefined>> => {
    const { promise, reject } = Promise.withResolvers<never>()
    const wait = startWait(windowMs, () => reject(tooSlow()))
    try {
      const piece = await Promise.race([next, promise])
      waitedMs += wait.ms
      if (!piece.done) bytes += bytesIn(piece.value)
      if (waitedMs >= windowMs) {
        if (!piece.done && (bytes * 1000) / waitedMs < bytesPerSecondMin) throw tooSlow()
        waitedMs = 0
        bytes = 0
      }
      return piece
    } finally {
      wait.stop()
    }
  }
}

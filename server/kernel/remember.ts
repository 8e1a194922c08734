import { currentWork } from './work.ts'

/**
 * Remembers what was read, for a short while. Callers that need the same at once wait for one read, and what was being
 * read while it was forgotten is not remembered.
 */
export type Remembered<V> = {
  /** The remembered value, at once, if it is recent enough; otherwise a new read. */
  get(key: string, ageMsMax?: number): V | Promise<V>
  forget(key: string): void
}

const keysMax = 10_000
// What is too old is useless: after a while it is removed, even if nobody requests it any more.
const sweepMs = 10_000

export function remember<V>(now: () => number, ageMs: number, read: (key: string) => Promise<V>): Remembered<V> {
  const known = new Map<string, { value: V; at: number }>()
  const reading = new Map<string, Promise<V>>()

  let sweeping: NodeJS.Timeout | null = null
  const sweep = (): void => {
    sweeping = null
    for (const [key, { at }] of known) {
      if (now() - at < ageMs) break
      known.delete(key)
    }
    if (known.size > 0) sweepLater()
  }
  const sweepLater = (): void => {
    sweeping ??= setTimeout(sweep, Math.max(sweepMs, ageMs)).unref()
  }

  const readAgain = async (key: string): Promise<V> => {
    const at = now()
    const asked = read(key)
    reading.set(key, asked)
    try {
      const value = await asked
      if (reading.get(key) === asked) {
        // Moved to the end, so that the first in the map is the one that was not read for longest.
        known.delete(key)
        known.set(key, { value, at })
        if (known.size > keysMax) known.delete(known.keys().next().value as string)
        sweepLater()
      }
      return value
    } finally {
      if (reading.get(key) === asked) reading.delete(key)
    }
  }

  const forget = (key: string): void => {
    known.delete(key)
    reading.delete(key)
  }

  return {
    get(key, ageMsMax = ageMs) {
      const found = known.get(key)
      return found && now() - found.at < ageMsMax ? found.value : (reading.get(key) ?? readAgain(key))
    },
    forget(key) {
      forget(key)
      // If the change is not committed yet, what is read in the meantime is still the old value.
      currentWork()?.afterCommit?.push(() => forget(key))
    },
  }
}

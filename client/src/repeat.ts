import { ApiError } from './api-error.ts'

/** Temporary failures: of the network, a restarting server, an unavailable database, a rate limit that refills. */
const passing: ReadonlySet<number> = new Set([0, 429, 502, 503, 504])
const firstWaitMs = 200
const longestWaitMs = 30_000

/**
 * How long to wait before a request is repeated; null if it is not. Longer each time, with jitter so that many clients do
 * not repeat at once, and not before the time in `Retry-After`.
 */
export function waitMs(error: unknown, repeated: number, repeatsMax: number): number | null {
  if (!(error instanceof ApiError) || !passing.has(error.status) || repeated >= repeatsMax) return null
  const longest = Math.min(longestWaitMs, firstWaitMs * 2 ** repeated)
  const own = longest / 2 + (Math.random() * longest) / 2
  const asked = (error.retryAfterSeconds ?? 0) * 1000
  return asked > longestWaitMs ? null : Math.max(own, asked)
}

export const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })

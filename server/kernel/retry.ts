const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * The wait that a `Retry-After` header requests, in milliseconds: it has seconds or a date (RFC 9110, section 10.2.3).
 * Null if there is none, or none that can be read.
 */
export function retryAfterMs(
  header: string | undefined,
  { nowMs, maxMs }: { nowMs: number; maxMs: number },
): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text) * 1000, maxMs)
  if (!httpDate.test(text)) return null
  const ms = Date.parse(text) - nowMs
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), maxMs)
}

/** How long to wait after this many attempts: twice as long after each. */
export const doubledMs = (attempts: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number =>
  // 2^50 of anything is beyond any maximum.
  Math.min(maxMs, firstMs * 2 ** Math.min(attempts - 1, 50))

type Spread = { random: number; askedMs?: number; spread?: readonly [number, number] }

/**
 * A wait that is randomly shorter or longer, so that what failed together does not return together, and at least as
 * long as the receiver requested. `random` is from 0 to 1.
 */
export const spreadMs = (ms: number, { random, askedMs = 0, spread: [least, most] = [0.8, 1.2] }: Spread): number =>
  Math.max(Math.round(ms * (least + (most - least) * random)), askedMs)

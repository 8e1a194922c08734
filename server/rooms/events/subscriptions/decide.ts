import { spreadMs } from '#kernel/retry.ts'
import type { Place } from '#rooms/foundation/systemlog/index.ts'
import type { Reason } from './subscription.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** How long to wait after each failed attempt, as Standard Webhooks advises: ten attempts in 75.5 hours. */
const retryDelaysMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]
/** Spreads the retries of many receivers after one outage. */
const spread = [1, 1.2] as const
export const retryAfterMaxMs = 24 * hour

/** How long to wait after this many failed attempts; null after the last one. `random` is from 0 to 1. */
export function delayAfter(failed: number, random: number, askedMs: number): number | null {
  const delay = retryDelaysMs[failed - 1]
  return delay === undefined ? null : spreadMs(delay, { random, askedMs, spread })
}

export type Answered = { outcome: 'delivered' } | { outcome: 'failed'; error: string; isGone: boolean }

const gone = 410

/** What a receiver's response means: any 2xx acknowledges the event, and nothing else does. */
export function answered(status: number): Answered {
  if (status >= 200 && status < 300) return { outcome: 'delivered' }
  if (status >= 300 && status < 400)
    return { outcome: 'failed', error: `The receiver answered ${status}. Redirects are not followed.`, isGone: false }
  return { outcome: 'failed', error: `The receiver answered ${status}.`, isGone: status === gone }
}

/** Whether an event is the next in the chain: links are numbered consecutively, and so are the events in each. */
export const isNext = ([seal, position]: Place, [nextSeal, nextPosition]: Place): boolean =>
  nextSeal === seal ? nextPosition === position + 1 : nextSeal === seal + 1 && nextPosition === 1

/** After all events of a link. */
export const endOfLink = (sealNumber: number): Place => [sealNumber, 2_147_483_647]

/** Before an event, so that it is the next. */
export const placeBefore = ([seal, position]: Place): Place => [seal, position - 1]

export const isBefore = ([seal, position]: Place, [otherSeal, otherPosition]: Place): boolean =>
  seal < otherSeal || (seal === otherSeal && position < otherPosition)

export const wordsOf: { readonly [reason in Reason]: string } = {
  USER: 'Paused by a user.',
  DELIVERY_FAILED: 'The receiver did not acknowledge an event in any attempt over three days.',
  RECEIVER_GONE: 'The receiver answered 410 (gone).',
  FILTER_TOO_COSTLY: 'The filter takes too much work.',
  FILTER_INVALID: 'The filter cannot be evaluated by this version.',
  NOT_PERMITTED:
    'The user who is responsible for it no longer has permission to read the system log and write subscriptions.',
  CHANGED_OUTSIDE:
    'It was changed in the database by something other than this program, or the secret key is different.',
  EVENTS_MISSING: 'Events are missing from the system log in the database.',
  LOG_TAMPERED: 'An event of the system log was changed in the database.',
}

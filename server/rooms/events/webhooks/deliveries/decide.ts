import { retryAfterMs, spreadMs } from '#kernel/retry.ts'
import { type Answer, problemText, readReply } from './answers.ts'
import type { Delivery } from './delivery.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/**
 * How long to wait after the first, second, ... attempt. A receiver that restarts is reached within a minute; one that is
 * down for a long weekend is reached too. 15 attempts over 3.7 days.
 */
const waitsMs = [
  ...[5 * second, 15 * second, minute, 5 * minute, 15 * minute, 30 * minute],
  ...[1, 2, 4, 8, 12, 16, 20, 24].map((hours) => hours * hour),
]
const attemptsMax = waitsMs.length + 1
/** Someone is waiting for the result of a test. */
const testAttemptsMax = 3
/** Answers that cannot be read: another one is unlikely to be better. */
const badAnswersMax = 5
const retryAfterMaxMs = 24 * hour

/** Longer than all attempts take, plus a day. */
export const lifetimeMs = waitsMs.reduce((sum, each) => sum + each, 0) * 1.2 + 24 * hour

export type Heard =
  | { is: 'reply'; status: number; retryAfter: string; body: Buffer }
  | { is: 'failed'; error: string; isTooLarge: boolean }
  /** The server is stopping: that is not the receiver's fault. */
  | { is: 'stopped' }

export type Verdict =
  | { to: 'answered'; answer: Answer | null }
  | { to: 'waiting' }
  | { to: 'fatal'; error: string }
  | { to: 'error'; error: string; isBad: boolean; afterMs: number }

type Attempted = Pick<Delivery, 'source' | 'attempts' | 'badAnswers'>

/** What happens to a delivery after an attempt. `random` is from 0 to 1. */
export function judge(of: Attempted, heard: Heard, { random, now }: { random: number; now: Date }): Verdict {
  if (heard.is === 'stopped') return { to: 'error', error: 'The server stopped.', isBad: false, afterMs: second }
  if (heard.is === 'failed') return again(of, heard.error, { isBad: heard.isTooLarge, random })
  const { status, body, retryAfter } = heard
  if (status === 410) return { to: 'fatal', error: 'The receiver answered 410: it no longer accepts deliveries.' }
  if (status === 202) return { to: 'waiting' }
  if (status < 200 || status > 299) {
    const why = status >= 300 && status < 400 ? ': redirects are not followed' : ''
    const leastMs = retryAfterMs(retryAfter, { nowMs: now.getTime(), maxMs: retryAfterMaxMs }) ?? 0
    return again(of, `The receiver answered ${status}${why}.`, { random, leastMs })
  }
  const read = readReply(of.source, body)
  if ('answer' in read) return { to: 'answered', answer: read.answer }
  return again(of, `The answer cannot be read: ${problemText(read.problems)}.`, { isBad: true, random })
}

function again(
  { source, attempts, badAnswers }: Attempted,
  error: string,
  { isBad = false, random, leastMs = 0 }: { isBad?: boolean; random: number; leastMs?: number },
): Verdict {
  const most = source === 'test' ? testAttemptsMax : attemptsMax
  if (attempts >= most) return { to: 'fatal', error: `${error} There were ${attempts} attempts.` }
  if (isBad && badAnswers + 1 >= badAnswersMax)
    return { to: 'fatal', error: `${error} ${badAnswersMax} answers could not be read.` }
  const waitMs = waitsMs[attempts - 1] as number
  // A test does not wait for as long as the receiver asks.
  const askedMs = source === 'test' ? 0 : leastMs
  return { to: 'error', error, isBad, afterMs: spreadMs(waitMs, { random, askedMs }) }
}

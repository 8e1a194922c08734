import { type ClaimedJob, JobFailed, type JobKind, type NotFinished } from '#kernel/jobs.ts'
import { Refusal } from '#kernel/refusals.ts'
import { doubledMs, spreadMs } from '#kernel/retry.ts'

/** An attempt was aborted because it took too long. What it had done by then is not known. */
export class TimedOut extends Error {
  override name = 'TimedOut'
}

const errorMax = 500

/**
 * What operators may read of an error. Only failures that were written for them are shown in full: any other error may
 * contain values, addresses or keys, and is in the server's log.
 */
export function errorText(error: unknown, jobId: string): string {
  if (error instanceof JobFailed || error instanceof Refusal || error instanceof TimedOut)
    return printable(error.message)
  const { name = 'Error', code } = (error ?? {}) as { name?: unknown; code?: unknown }
  const kind = [name, code].filter((each) => typeof each === 'string' && /^[\w-]{1,40}$/.test(each)).join(' ')
  return `Unexpected error (${kind || 'Error'}); the server log has the details under job ${jobId}.`
}

const printable = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, errorMax)
    .toWellFormed()

type Attempted = Pick<ClaimedJob, 'id' | 'attempt' | 'deadlineAt'>

/** What happens to a job after a failed attempt. */
export function afterFailure(
  kind: Pick<JobKind, 'retry' | 'afterUnknown'>,
  { id, attempt, deadlineAt }: Attempted,
  failure: unknown,
  { now, random }: { now: Date; random: number },
): NotFinished {
  const error = errorText(failure, id)
  const isKnown = failure instanceof JobFailed || failure instanceof Refusal
  if (!isKnown && kind.afterUnknown === 'stuck') return { next: 'stuck', error: `The outcome is unknown. ${error}` }
  if (failure instanceof JobFailed && !failure.mayRetry) return { next: 'stuck', error }
  if (attempt >= kind.retry.attemptsMax) return { next: 'stuck', error: `Failed ${attempt} times. ${error}` }
  const askedMs = failure instanceof JobFailed ? failure.afterMs : 0
  const delayMs = spreadMs(doubledMs(attempt, kind.retry), { random, askedMs })
  if (deadlineAt && now.getTime() + delayMs >= deadlineAt.getTime())
    return { next: 'stuck', error: `The deadline allows no further attempt. ${error}` }
  return { next: 'wait', delayMs, error }
}

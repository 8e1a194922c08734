import { describe, expect, test } from 'vitest'
import { JobFailed, type RetryPolicy } from '#kernel/jobs.ts'
import { Refusal } from '#kernel/refusals.ts'
import { afterFailure, errorText, TimedOut } from '#server/engine/jobs/outcome.ts'

const retry: RetryPolicy = { firstMs: 1_000, maxMs: 259_200_000, attemptsMax: 60 }
const now = new Date('2026-11-15T12:00:00Z')
const job = { id: 'j1', attempt: 1, deadlineAt: null }

describe('after a failure', () => {
  const after = (failure: unknown, changes: object = {}, afterUnknown: 'retry' | 'stuck' = 'retry') =>
    afterFailure({ retry, afterUnknown }, { ...job, ...changes }, failure, { now, random: 0.5 })

  test('a job waits for its delay, or for as long as its receiver asked', () => {
    expect(after(new JobFailed('Busy.'))).toEqual({ next: 'wait', delayMs: 1_000, error: 'Busy.' })
    expect(after(new JobFailed('Busy.', { afterMs: 60_000 }))).toMatchObject({ next: 'wait', delayMs: 60_000 })
    expect(after(new Refusal('APP_NOT_FOUND', 'There is no app a1.'))).toMatchObject({ error: 'There is no app a1.' })
  })

  test('what may not be repeated is repeated only after failures that are known to have done nothing', () => {
    expect(after(new JobFailed('Refused.'), {}, 'stuck')).toMatchObject({ next: 'wait' })
    for (const unknown of [new Error('socket hang up'), new TimedOut('Too long.'), null, 'text'])
      expect(JSON.stringify(after(unknown, {}, 'stuck'))).toMatch(
        /^\{"next":"stuck","error":"The outcome is unknown\. /,
      )
  })

  test('a job is stuck after its last attempt, and where its deadline leaves no time', () => {
    expect(after(new JobFailed('Busy.'), { attempt: 60 })).toMatchObject({ next: 'stuck' })
    expect(after(new JobFailed('Busy.'), { deadlineAt: new Date(now.getTime() + 1_000) })).toMatchObject({
      next: 'stuck',
    })
    expect(after(new JobFailed('Busy.'), { deadlineAt: new Date(now.getTime() + 1_001) })).toMatchObject({
      next: 'wait',
    })
  })
})

test('errors show what was written for operators, on one line, and nothing else', () => {
  expect(errorText(new JobFailed('a\n\u0000b\u2028c'), 'j1')).toBe('a b c')
  expect(errorText(new JobFailed('😀'.repeat(400)), 'j1')).toHaveLength(500)
  const hidden = 'Unexpected error (Error); the server log has the details under job j1.'
  const hostile = [
    new Error('secret'),
    'secret',
    null,
    { name: 'secret in a name', code: { a: 1 } },
    { name: '', code: 7 },
  ]
  for (const error of hostile.slice(0, 3)) expect(errorText(error, 'j1')).toBe(hidden)
  for (const error of hostile) expect(errorText(error, 'j1')).not.toContain('secret')
})

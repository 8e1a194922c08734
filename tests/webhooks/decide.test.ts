import { expect, test } from 'vitest'
import { readReply } from '#rooms/events/webhooks/deliveries/answers.ts'
import { type Heard, judge } from '#rooms/events/webhooks/deliveries/decide.ts'

const now = new Date('2026-11-16T12:00:00Z')
const reply = (status: number, body = '', retryAfter = ''): Heard => ({
  is: 'reply',
  status,
  retryAfter,
  body: Buffer.from(body),
})
const of = (attempts: number, badAnswers = 0) => ({ source: 'approval' as const, attempts, badAnswers })

test('a receiver that fails is tried 15 times over more than three days, at first quickly', () => {
  const verdicts = Array.from({ length: 15 }, (_, i) => judge(of(i + 1), reply(500), { random: 0.5, now }))
  expect(verdicts.map(({ to }) => to)).toEqual([...Array.from({ length: 14 }, () => 'error'), 'fatal'])
  const waits = verdicts.flatMap((verdict) => (verdict.to === 'error' ? [verdict.afterMs] : []))
  const ms = waits.reduce((sum, each) => sum + each, 0)
  expect(waits.slice(0, 3)).toEqual([5_000, 15_000, 60_000])
  expect(ms / 86_400_000).toBeGreaterThan(3)
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
})

test('Retry-After is heeded, up to a day', () => {
  const after = (text: string) => {
    const verdict = judge(of(1), reply(429, '', text), { random: 0.5, now })
    return verdict.to === 'error' ? verdict.afterMs : null
  }
  expect(after('120')).toBe(120_000)
  expect(after('Mon, 16 Nov 2026 12:10:00 GMT')).toBe(600_000)
  expect(after('999999999')).toBe(86_400_000)
  for (const odd of ['', '-5', 'soon', '1e9', 'Mon, 16 Nov 2020 12:10:00 GMT']) expect(after(odd)).toBe(5_000)
})

test('answers that cannot be read are not asked for fifteen times', () => {
  expect(judge(of(1, 0), reply(200, '<html>'), { random: 0, now })).toMatchObject({ to: 'error', isBad: true })
  expect(judge(of(5, 4), reply(200, '<html>'), { random: 0, now })).toMatchObject({ to: 'fatal' })
})

test.each([
  ['nothing', '', 'must not be empty'],
  ['no JSON', 'approve', 'must be JSON'],
  ['a text', '"approve"', 'must be an object'],
  ['a list', '[{"approve":{}}]', 'must be an object'],
  ['null', 'null', 'exactly one of'],
  ['no outcome', '{"version":"v1"}', 'exactly one of'],
  ['two outcomes', '{"approve":{},"deny":{}}', 'exactly one of'],
  ['an outcome of another event', '{"complete":{}}', 'is not a valid answer to this event'],
  ['another version', '{"version":"v2","approve":{}}', 'must be v1'],
  ['an outcome that is no object', '{"approve":true}', 'must be an object'],
  ['an outcome in both spellings', '{"replacePolicy":{},"replace_policy":{"comment":"x"}}', 'twice'],
  ['nobody to reassign to', '{"reassign":{}}', 'must not be empty'],
  ['a comment that is too long', `{"approve":{"comment":"${'x'.repeat(10_001)}"}}`, 'at most 10000'],
])('%s is no answer', (_, text, why) => {
  const read = readReply('approval', Buffer.from(text))
  expect('problems' in read && read.problems.map(({ description }) => description).join()).toContain(why)
})

test('an answer is read in either spelling', () => {
  expect(readReply('approval', Buffer.from('{"reassign":{"new_step_user_ids":["a"],"comment":"c"}}'))).toEqual({
    answer: { outcome: 'reassign', newStepUserIds: ['a'], comment: 'c' },
  })
  expect(readReply('provision', Buffer.from(' {"errored":{"comment":"full"}} '))).toEqual({
    answer: { outcome: 'errored', comment: 'full' },
  })
})

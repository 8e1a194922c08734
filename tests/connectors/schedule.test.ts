import { describe, expect, test } from 'vitest'
import { isTimeZone, nextAfter, parseCron } from '#rooms/records/connectors/schedule/cron.ts'
import { nextSyncAfter, scheduleProblem, spreadOf } from '#rooms/records/connectors/schedule/decide.ts'

const next = (spec: string, timeZone: string, after: string): string | undefined => {
  const cron = parseCron(spec)
  if (typeof cron === 'string') throw new Error(cron)
  return nextAfter(cron, timeZone, new Date(after))?.toISOString()
}
const problem = (cronSpec: string, timeZone = 'UTC'): string =>
  scheduleProblem({ cronSpec, timeZone }, new Date('2026-11-16T00:00:00Z'), 'cron')?.description ?? ''

describe('a cron expression', () => {
  test.each([
    ['0 3 * * *', 'UTC', '2026-11-16T08:00:00Z', '2026-11-17T03:00:00.000Z'],
    ['0 3 * * *', 'Europe/Berlin', '2026-11-16T08:00:00Z', '2026-11-17T02:00:00.000Z'],
    ['*/15 9-17 * * mon-fri', 'America/New_York', '2026-11-14T00:00:00Z', '2026-11-16T14:00:00.000Z'],
    ['5/20 * * * *', 'UTC', '2026-11-14T00:44:30Z', '2026-11-14T00:45:00.000Z'],
    ['0 0 * * 7', 'Asia/Kolkata', '2026-11-14T00:44:30Z', '2026-11-14T18:30:00.000Z'],
    ['0 0 29 feb *', 'UTC', '2097-01-01T00:00:00Z', '2104-02-29T00:00:00.000Z'],
    ['@weekly', 'UTC', '2026-11-16T08:00:00Z', '2026-11-22T00:00:00.000Z'],
    // Where both days are limited, either is enough.
    ['0 12 13 * fri', 'UTC', '2026-11-14T00:00:00Z', '2026-11-20T12:00:00.000Z'],
    // Never the same moment again.
    ['0 3 * * *', 'UTC', '2026-11-16T03:00:00Z', '2026-11-17T03:00:00.000Z'],
  ])('%s in %s after %s is due at %s', (spec, timeZone, after, due) => {
    expect(next(spec, timeZone, after)).toBe(due)
  })
  test('is due once where clocks are set, forward and back', () => {
    expect(next('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:30:00.000Z')
    expect(next('30 2 * * *', 'Europe/Berlin', '2026-03-29T01:30:00Z')).toBe('2026-03-30T00:30:00.000Z')
    const back = next('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z') as string
    expect(back).toMatch(/^2026-10-25T0[01]:30:00/)
    expect(next('30 2 * * *', 'Europe/Berlin', back)).toBe('2026-10-26T01:30:00.000Z')
  })
  test('that is wrong, too often or never due is refused with the reason', () => {
    // The last two are names that every object of JavaScript knows.
    for (const spec of ['* * *', '', '@yearly', 'constructor', '__proto__'])
      expect(problem(spec)).toContain('five fields')
    for (const spec of [
      '61 * * * *',
      '0 24 * * *',
      '0 0 0 * *',
      '0 0 * 13 *',
      '0 0 * * 8',
      '0 0 */0 * *',
      '0 0 5-2 * *',
    ])
      expect(problem(spec)).toContain('has an invalid')
    for (const spec of ['x * * * *', '0 0 L * *', '0,,5 0 * * *', '0 0 1#2 * *', '-5 0 * * *'])
      expect(problem(spec)).toContain('has an invalid')
    expect(problem('0 0 30 2 *')).toBe('is never due')
    for (const spec of ['* * * * *', '*/5 * * * *', '0,55 * * * *', '3,8 4 * * *'])
      expect(problem(spec)).toContain('every 10 minutes')
    expect(problem('0/10 * * * *')).toBe('')
    expect(problem('0 '.repeat(200))).toContain('200 characters')
    for (const zone of ['', 'Mars/Olympus', '+02:00', 'x'.repeat(100)])
      expect(problem('0 0 * * *', zone)).toContain('time zone')
    expect(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'].every(isTimeZone)).toBe(true)
  })
})

describe('the next sync', () => {
  const of = (cronSpec: string, id = 'a') => ({ id, cronSpec, cronTimeZone: 'UTC', syncEverySeconds: 3600 })
  test('is due once however many times were missed, and each connector has its own seconds', () => {
    const at = new Date('2026-11-16T08:30:00Z')
    const due = nextSyncAfter(of('0 * * * *'), at).getTime()
    expect(due).toBe(Date.parse('2026-11-16T09:00:00Z') + spreadOf('a'))
    // The sync begins when it is due: the next is an hour later, and not the same again.
    expect(nextSyncAfter(of('0 * * * *'), new Date(due)).getTime()).toBe(due + 3_600_000)
    expect(nextSyncAfter(of('0 * * * *'), new Date(due + 5000)).getTime()).toBe(due + 3_600_000)
    expect(new Set(['a', 'b', 'c', 'd'].map(spreadOf)).size).toBe(4)
    expect(spreadOf('a')).toBeLessThan(120_000)
    expect(nextSyncAfter(of(''), at)).toEqual(new Date('2026-11-16T09:30:00Z'))
  })
})

import { expect, test } from 'vitest'
import { doubledMs, retryAfterMs, spreadMs } from '#kernel/retry.ts'

const nowMs = Date.UTC(2026, 0, 1, 12)
const maxMs = 3_600_000
const asked = (header: string | undefined): number | null => retryAfterMs(header, { nowMs, maxMs })

test('Retry-After is read as seconds and as a date, and never asks for more than the maximum', () => {
  expect(asked('0')).toBe(0)
  expect(asked(' 120 ')).toBe(120_000)
  expect(asked('999999999')).toBe(maxMs)
  expect(asked('Thu, 01 Jan 2026 12:00:30 GMT')).toBe(30_000)
  expect(asked('Thu, 01 Jan 2026 11:00:00 GMT')).toBe(0)
  expect(asked('Fri, 01 Jan 2027 12:00:00 GMT')).toBe(maxMs)
})

test('a Retry-After that is missing or cannot be read asks for nothing', () => {
  for (const header of [
    undefined,
    '',
    '-5',
    '1.5',
    '1e3',
    '12345678901',
    'soon',
    '2026-01-02',
    'Xxx, 99 Yyy 2026 99:99:99 GMT',
  ])
    expect(asked(header)).toBeNull()
})

test('the time between attempts doubles up to the maximum', () => {
  const waits = [1, 2, 3, 4, 60, 10_000].map((attempts) => doubledMs(attempts, { firstMs: 1_000, maxMs: 5_000 }))
  expect(waits).toEqual([1_000, 2_000, 4_000, 5_000, 5_000, 5_000])
})

test('a wait is spread by a fifth, and is as long as the receiver asked for', () => {
  expect([0, 0.5, 1].map((random) => spreadMs(1_000, { random }))).toEqual([800, 1_000, 1_200])
  expect([0, 1].map((random) => spreadMs(1_000, { random, spread: [1, 1.2] }))).toEqual([1_000, 1_200])
  expect(spreadMs(1_000, { random: 0.5, askedMs: 60_000 })).toBe(60_000)
  expect(spreadMs(1_000, { random: 0.5, askedMs: 10 })).toBe(1_000)
})

import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { watchPresence } from '#database/presence.ts'
import type { Db } from '#kernel/sql.ts'
import { later } from '../fixture/later.ts'

const probeOf = (ask: () => Promise<unknown>): Db =>
  Object.assign(() => ask(), { end: () => Promise.resolve() }) as unknown as Db

test('a database whose answer came while this process had no turn is not taken for absent', async () => {
  const told: boolean[] = []
  let isAsked = false
  // Answers at once, by a way on which one hears of it only in a turn of the event loop.
  const answering = probeOf(async () => {
    isAsked = true
    await stat('/')
  })
  const presence = watchPresence(
    () => answering,
    (isHere) => told.push(isHere),
  )
  later(() => presence.stop())
  expect(isAsked).toBe(true)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2400)
  await sleep(50)
  expect([presence.isHere, told]).toEqual([true, []])
})

test('a database that does not answer is absent after two seconds', async () => {
  vi.useFakeTimers()
  later(() => vi.useRealTimers())
  const told: boolean[] = []
  const silent = probeOf(() => new Promise(() => {}))
  const presence = watchPresence(
    () => silent,
    (isHere) => told.push(isHere),
  )
  later(() => presence.stop())
  await vi.advanceTimersByTimeAsync(1999)
  expect(told).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(told).toEqual([false])
})

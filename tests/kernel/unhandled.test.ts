import { expect, test } from 'vitest'
import { isAbsence } from '#database/presence.ts'
import { guardProcess } from '#kernel/unhandled.ts'
import { newWork, runWork } from '#kernel/work.ts'
import { later } from '../fixture/later.ts'

/** The guard, and its listeners: called here as Node calls them, without the test runner's own. */
function guard() {
  const seen: string[] = []
  const undo = guardProcess({
    log: { error: (_about: object, text: string) => seen.push(text) } as never,
    count: (kind) => seen.push(kind),
    isLostConnection: isAbsence,
    giveUp: () => seen.push('gave up'),
  })
  later(undo)
  const [reject, raise] = (['unhandledRejection', 'uncaughtException'] as const).map(
    (event) => process.listeners(event as 'uncaughtException').at(-1) as (error: unknown) => void,
  ) as [(error: unknown) => void, (error: unknown) => void]
  return { seen, reject, raise }
}

test('a rejection is counted and logged, and ends its own request', () => {
  const { seen, reject } = guard()
  const failed: unknown[] = []
  runWork(
    newWork((error) => failed.push(error)),
    () => reject(new Error('lost')),
  )
  expect(seen).toEqual(['rejection', 'unhandled rejection'])
  expect(failed).toEqual([new Error('lost')])
})

test('an exception of a lost connection is survived, and any other is not', () => {
  const { seen, raise } = guard()
  raise(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  expect(seen).toEqual(['exception', 'uncaught exception'])
  raise(new TypeError('x is not a function'))
  expect(seen.at(-1)).toBe('gave up')
})

test('a flood of rejections is not survived', () => {
  const { seen, reject } = guard()
  for (let n = 0; n < 99; n++) reject(n)
  expect(seen).not.toContain('gave up')
  reject(null)
  expect(seen.at(-1)).toBe('gave up')
})

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { neverWoken, openWakes, type Wakes } from '#kernel/wakes.ts'
import { startTicks, type Tick } from '#server/engine/ticks.ts'
import { patiently, until } from '../fixture/later.ts'

const logged: { err: unknown; tick: string }[] = []
const log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (line: { err: unknown; tick: string }) => logged.push(line),
}
const stops: (() => Promise<void>)[] = []

const now = (): Date => new Date()

const start = (ticks: Tick[], isQuiet: (error: unknown) => boolean = () => false, wakes: Wakes = neverWoken) => {
  const ticking = startTicks(ticks, { log: log as never, isQuiet, wakes, now })
  stops.push(ticking.stop)
  return ticking
}
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  logged.length = 0
})

test('work is done at its pace: not at once, not more often, and each by its own clock', async () => {
  const counts = { quick: 0, slow: 0 }
  start([
    { name: 'quick', everyMs: 20, work: async () => void counts.quick++ },
    { name: 'slow', everyMs: 600_000, work: async () => void counts.slow++ },
  ])
  const begun = performance.now()
  expect(counts).toEqual({ quick: 0, slow: 0 })
  await until(() => counts.quick > 10)
  expect(counts.quick).toBeLessThanOrEqual(1 + (performance.now() - begun) / 20)
  expect(counts.slow).toBe(0)
})

test('work that takes longer than its pace is never done twice at once', async () => {
  let running = 0
  let most = 0
  const work = async (): Promise<void> => {
    most = Math.max(most, ++running)
    await sleep(40)
    running--
  }
  const { stop } = start([{ name: 'long', everyMs: 5, work }])
  await sleep(200)
  await stop()
  expect(most).toBe(1)
  expect(running).toBe(0)
})

test('work that fails is logged and done again, also when it throws before it has begun', async () => {
  let n = 0
  const work = (): Promise<void> => {
    n++
    if (n === 1) throw new Error('at once')
    return n === 2 ? Promise.reject(new Error('later')) : Promise.resolve()
  }
  start([{ name: 'failing', everyMs: 5, work }])
  await patiently(() => expect(n).toBeGreaterThan(4))
  expect(logged.map(({ err, tick }) => `${tick}: ${(err as Error).message}`)).toEqual([
    'failing: at once',
    'failing: later',
  ])
})

test('what fails again and again in the same way is not told each time', async () => {
  let n = 0
  const work = async (): Promise<void> => {
    n++
    throw new Error(n < 20 ? 'broken' : 'broken otherwise')
  }
  start([{ name: 'broken', everyMs: 1, work }])
  await patiently(() => expect(n).toBeGreaterThan(30))
  expect(logged.map(({ err }) => (err as Error).message)).toEqual(['broken', 'broken otherwise'])
})

test('what is quiet is not logged', async () => {
  let n = 0
  const work = async (): Promise<void> => {
    n++
    throw new Error('away')
  }
  start([{ name: 'away', everyMs: 1, work }], () => true)
  await patiently(() => expect(n).toBeGreaterThan(3))
  expect(logged).toEqual([])
})

test('work rests after changes are seen, until there are more', async () => {
  const wakes = openWakes()
  let n = 0
  start([{ name: 'resting', everyMs: 5, work: async () => void n++ }], undefined, wakes)
  await patiently(() => expect(n).toBe(1))
  await sleep(50)
  expect(n).toBe(1)
  wakes.wake()
  await patiently(() => expect(n).toBe(2))
  await sleep(50)
  expect(n).toBe(2)
})

test('work during which something changes is done once more, and what asks for it again until it does not', async () => {
  const wakes = openWakes()
  let n = 0
  const work = async (): Promise<'again' | void> => {
    n++
    if (n === 1) wakes.wake()
    if (n === 2 || n === 3) return 'again'
  }
  start([{ name: 'resting', everyMs: 5, work }], undefined, wakes)
  await patiently(() => expect(n).toBe(4))
  await sleep(50)
  expect(n).toBe(4)
})

test('work is done when it is due, though nothing changes', async () => {
  const wakes = openWakes()
  const at: number[] = []
  const dueAt = (): number => (at[0] as number) + 100
  const nextDue = async (): Promise<Date | null> => (at.length === 1 ? new Date(dueAt()) : null)
  start([{ name: 'due', everyMs: 5, work: async () => void at.push(Date.now()), nextDue }], undefined, wakes)
  await patiently(() => expect(at).toHaveLength(2))
  expect(at.filter((each) => each >= dueAt())).toHaveLength(1)
})

test('stopping waits for what runs, does once more in order what would be lost, and nothing after that', async () => {
  const did: string[] = []
  const { promise: mayEnd, resolve: letEnd } = Promise.withResolvers<void>()
  const { stop } = startTicks(
    [
      {
        name: 'running',
        everyMs: 5,
        isDoneAtStop: true,
        work: async () => {
          did.push('begun')
          await mayEnd
          did.push('ended')
        },
      },
      { name: 'failing', everyMs: 60_000, isDoneAtStop: true, work: () => Promise.reject(new Error('no')) },
      { name: 'waiting', everyMs: 60_000, isDoneAtStop: true, work: async () => void did.push('waited') },
      { name: 'in the database', everyMs: 60_000, work: async () => void did.push('left for others') },
    ],
    { log: log as never, isQuiet: () => false, wakes: neverWoken, now },
  )
  await patiently(() => expect(did).toEqual(['begun']))
  const stopping = stop()
  letEnd()
  await stopping
  expect(did).toEqual(['begun', 'ended', 'begun', 'ended', 'waited'])
  await sleep(50)
  expect(did).toHaveLength(5)
})

import { afterAll, expect, test } from 'vitest'
import { openTurns } from '#kernel/turns.ts'
import { openWorkers } from '#kernel/workers.ts'

const entry = new URL('./worker-entry.ts', import.meta.url)
const told: unknown[] = []
const log = { error: (...line: unknown[]) => void told.push(line) }
const workers = openWorkers({ entry, size: 1, cpuMsMax: 200, memoryMb: 64, waitingMax: 5, log })
/** The answer is 503: nobody has counted that the work is too much. */
const busy = { reason: 'SERVER_BUSY', status: 503, detail: { retryAfterSeconds: 5 } }
afterAll(() => workers.close())
const run = <T>(task: string, input: unknown = null, lane = 'a', signal: AbortSignal | null = null): Promise<T> =>
  workers.run<T>({ lane, task, input, signal })

test('what a worker is given comes back, and what it throws is thrown', async () => {
  expect(await run('echo', { now: new Date(0), list: [1, 'two'] })).toEqual({ now: new Date(0), list: [1, 'two'] })
  await expect(run('fail')).rejects.toThrow('wrong')
})

test('a worker that does not come back is ended, and the next job has another', async () => {
  const waiting = [run('endless'), run('echo', 1), run('echo', 2, 'b')]
  await expect(waiting[0]).rejects.toMatchObject(busy)
  expect(await Promise.all(waiting.slice(1))).toEqual([1, 2])
  expect(told).toEqual([[expect.objectContaining({ task: 'endless', lane: 'a' }), 'a worker thread had to be ended']])
})

test('a worker that takes long and gets no CPU time, as on a busy machine, is waited for', async () => {
  const before = told.length
  // Four times what it may compute.
  expect(await run('stall', 800)).toBe('done')
  expect(told).toHaveLength(before)
})

test('a worker that takes too much memory, or ends, takes only its own job along', async () => {
  const steps = run('steps', { count: 20, ms: 5 }, 'b')
  await expect(run('hoard')).rejects.toMatchObject(busy)
  await expect(run('exit')).rejects.toMatchObject(busy)
  expect(await steps).toBe(20)
  expect(await run('echo', 3)).toBe(3)
})

test('lanes take turns, slice by slice: a short job is not kept waiting by the long ones of another lane', async () => {
  const order: string[] = []
  const long = Array.from({ length: 4 }, (_, at) =>
    run('steps', { count: 60, ms: 5 }, 'a').then(() => order.push(`long ${at}`)),
  )
  const short = run('steps', { count: 4, ms: 5 }, 'b').then(() => order.push('short'))
  await Promise.all([...long, short])
  expect(order[0]).toBe('short')
})

test('a job that nobody waits for is dropped, whether it waits, runs or is between two slices', async () => {
  const [running, waiting, late] = [new AbortController(), new AbortController(), AbortSignal.abort(new Error('late'))]
  const jobs = [
    run('steps', { count: 10_000, ms: 5 }, 'a', running.signal),
    run('steps', { count: 10_000, ms: 5 }, 'a', waiting.signal),
    run('echo', 1, 'a', late),
  ]
  await expect(jobs[2]).rejects.toThrow('late')
  await new Promise((resolve) => setTimeout(resolve, 60))
  waiting.abort(new Error('gone'))
  await expect(jobs[1]).rejects.toThrow('gone')
  running.abort(new Error('gone too'))
  await expect(jobs[0]).rejects.toThrow('gone too')
  expect(await run('echo', 'next')).toBe('next')
})

test('a lane has only so many waiting; others are taken', async () => {
  const abort = new AbortController()
  const jobs = Array.from({ length: 7 }, () => run('steps', { count: 10_000, ms: 5 }, 'a', abort.signal))
  const settled = Promise.allSettled(jobs)
  await expect(jobs[6]).rejects.toMatchObject({ reason: 'TOO_MANY_AT_ONCE' })
  expect(await run('echo', 'b', 'b')).toBe('b')
  abort.abort(new Error('gone'))
  await settled
})

test('closed workers refuse what is open and what comes', async () => {
  const own = openWorkers({ entry, size: 1 })
  const open = own.run({ lane: 'a', task: 'steps', input: { count: 10_000, ms: 5 } })
  const outcome = open.catch((error: Error) => error.message)
  await own.close()
  expect(await outcome).toContain('closed')
  await expect(own.run({ lane: 'a', task: 'echo', input: 1 })).rejects.toThrow('closed')
})

test('turns: no key takes them all, callers who wait too long or leave are removed, and the next one is admitted', async () => {
  const turns = openTurns({ perKey: 2, inAll: 3, waitingMax: 1, waitMs: 50 })
  const begun: string[] = []
  const doors: (() => void)[] = []
  const take = (key: string, signal: AbortSignal | null = null): Promise<unknown> =>
    turns.take(key, signal, () => {
      begun.push(key)
      return new Promise<void>((resolve) => doors.push(resolve))
    })
  const [a1, a2] = [take('a'), take('a')]
  const late = take('a')
  await expect(take('a')).rejects.toMatchObject({ reason: 'TOO_MANY_AT_ONCE' })
  const b1 = take('b')
  await expect(late).rejects.toMatchObject({ reason: 'SERVER_BUSY', status: 503 })
  expect(begun).toEqual(['a', 'a', 'b'])
  const gone = new AbortController()
  const left = take('c', gone.signal)
  gone.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  const next = take('b')
  doors[0]?.()
  await a1
  expect(begun).toEqual(['a', 'a', 'b', 'b'])
  for (const open of doors) open()
  await Promise.all([a2, b1, next])
})

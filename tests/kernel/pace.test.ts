import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { paceOf } from '#kernel/pace.ts'

/** Keeps this thread from everything. */
const stall = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

const read = async (everyMs: number, size: number, count: number): Promise<number> => {
  const pace = paceOf<Uint8Array>(
    { windowMs: 60, bytesPerSecondMin: 1024 },
    ({ length }) => length,
    () => new Error('too slow'),
  )
  let bytes = 0
  for (let i = 0; i < count; i++) {
    const { value } = await pace(sleep(everyMs, { done: false, value: new Uint8Array(size) }, { ref: false }))
    bytes += value?.length ?? 0
  }
  return bytes
}

describe('the pace of a stream', () => {
  test('a client that sends a little now and then is refused, as one that is silent is', async () => {
    await expect(read(20, 1, 10_000)).rejects.toThrow('too slow')
    await expect(read(20, 0, 10_000)).rejects.toThrow('too slow')
    await expect(read(60_000, 10_000, 1)).rejects.toThrow('too slow')
  })
  test('one that sends enough may go on', async () => {
    expect(await read(20, 10_000, 10)).toBe(100_000)
  })
  test('one that sends while the server does not read may go on, however long that takes', async () => {
    const pace = paceOf<Uint8Array>(
      { windowMs: 200, bytesPerSecondMin: 1024 },
      ({ length }) => length,
      () => new Error('too slow'),
    )
    const piece = { done: false as const, value: new Uint8Array(100) }
    for (let times = 0; times < 5; times++) {
      const { promise, resolve } = Promise.withResolvers<typeof piece>()
      const heard = pace(promise)
      // It is there in the meantime; the event loop comes to it only after its timers.
      stall(300)
      setImmediate(() => resolve(piece))
      expect(await heard).toBe(piece)
    }
  })
})

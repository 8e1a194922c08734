import { execFile } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { expect, test, vi } from 'vitest'
import { openMemory } from '#kernel/memory.ts'
import type { World } from '#kernel/world.ts'
import { signer } from '../../server/rooms/identity/tokens/signer.ts'
import { conditionMs } from '../fixture/patience.ts'

const world = { memory: openMemory(() => world) } as unknown as World
const keys = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')] as const

const signMany = async (count: number): Promise<boolean[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const { privateKey, publicKey } = keys[n % 2] as { privateKey: KeyObject; publicKey: KeyObject }
      const text = `text ${n} ü`
      return verify(null, Buffer.from(text), publicKey, await world.memory(signer).sign(privateKey, text))
    }),
  )

test('one is signed, and so are many at once with several keys, each its own text', async () => {
  expect(await signMany(1)).toEqual([true])
  // The first begin while the thread starts, the others find it running; the last are more than it takes at once.
  for (const count of [20, 50, 3, 700]) expect(new Set(await signMany(count))).toEqual(new Set([true]))
})

test('what a thread had not signed when it ended is signed all the same', async () => {
  const started: Worker[] = []
  const post = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker) {
    started.push(this)
    void this.terminate()
  })
  try {
    const made = { memory: openMemory(() => made) } as unknown as World
    const { privateKey, publicKey } = keys[0]
    const signAll = () =>
      Promise.all(
        Array.from({ length: 40 }, async (_, n) => {
          const signature = await made.memory(signer).sign(privateKey, String(n))
          return verify(null, Buffer.from(String(n)), publicKey, signature)
        }),
      )
    while (started.length === 0) expect(new Set(await signAll())).toEqual(new Set([true]))
    post.mockRestore()
    for (let round = 0; round < 5; round++) expect(new Set(await signAll())).toEqual(new Set([true]))
  } finally {
    post.mockRestore()
  }
})

test('a thread that nobody asks after it was started does not keep the process from ending', async () => {
  // What does not end is killed, which is an error.
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'sign-once.ts')], { timeout: conditionMs })
})

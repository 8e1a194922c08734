import { type KeyObject, webcrypto } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { slot } from '#kernel/memory.ts'
import type { SignatureBatch } from './signing-worker.ts'

const { subtle } = webcrypto
const signatureBytes = 64

type Asked = { key: KeyObject; text: string; done(signature: Buffer): void; failed(error: unknown): void }

// With fewer at once it is not worth a thread, which takes memory.
const startMin = 16
// A thread signs one in 40 to 60 µs: more than it signs in some 12 ms is left to Node's own threads.
const batchMax = 256
const idleMs = 20_000
// Each message has a fixed cost. Writing the event of a token takes longer than this.
const gatherMs = 2

// WebCrypto signs on another thread: of the 40 microseconds the event loop waits for 10. `sign` of node:crypto with a
// callback does so too, and blocks it longer.
const signers = new WeakMap<KeyObject, webcrypto.CryptoKey>()
async function signAlone(key: KeyObject, text: string): Promise<Buffer> {
  let signer = signers.get(key)
  if (!signer) {
    signer = key.toCryptoKey({ name: 'Ed25519' }, false, ['sign'])
    signers.set(key, signer)
  }
  return Buffer.from(await subtle.sign('Ed25519', signer, Buffer.from(text)))
}
const alone = ({ key, text, done, failed }: Asked): void => void signAlone(key, text).then(done, failed)

const newThread = (): Worker =>
  new Worker(new URL('./signing-worker.ts', import.meta.url), {
    // Not the flags of the parent process: a test runner's hooks must not run there.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
  })

/** The message to the thread, which has the keys in `keyNumbers`; adds those that it gets with this one. */
const batchOf = (byKey: ReadonlyMap<KeyObject, readonly Asked[]>, keyNumbers: Map<KeyObject, number>): SignatureBatch =>
  [...byKey].map(([key, asked]) => {
    const texts = asked.map(({ text }) => text)
    const known = keyNumbers.get(key)
    if (known !== undefined) return { number: known, texts }
    // Sent once: sending a key to a thread takes longer than sending the texts to sign.
    keyNumbers.set(key, keyNumbers.size)
    return { number: keyNumbers.size - 1, key, texts }
  })

/**
 * Signs with Ed25519. If there are many requests at once, a thread is started that signs them in batches, one message
 * each way: passing each separately to a thread was a sixth of what the event loop did for a token. Requests that
 * arrive while a batch is being signed form the next. The thread ends when it has not been needed for a while.
 */
export const signer = slot(() => {
  let asked: Asked[] = []
  let worker: Worker | null = null
  let isReady = false
  /** The keys that the thread has. */
  let keyNumbers = new Map<KeyObject, number>()
  let underWay: Asked[] | null = null
  let idle: NodeJS.Timeout | undefined

  const end = (ended: Worker): void => {
    if (worker !== ended) return
    worker = null
    isReady = false
    keyNumbers = new Map()
    clearTimeout(idle)
    // What it did not return is signed elsewhere.
    for (const each of [...(underWay ?? []), ...asked.splice(0)]) alone(each)
    underWay = null
  }

  const start = (): Worker => {
    const started = newThread()
    started.once('online', () => {
      isReady = true
      // When it is idle, it must not keep the process from ending.
      rest(started)
    })
    started.on('message', (signatures: Uint8Array<ArrayBuffer>) => {
      const bytes = Buffer.from(signatures.buffer)
      for (const [index, { done }] of (underWay ?? []).entries())
        done(bytes.subarray(index * signatureBytes, (index + 1) * signatureBytes))
      underWay = null
      if (asked.length > 0) send(started)
      else rest(started)
    })
    started.on('error', () => end(started))
    started.on('exit', () => end(started))
    return started
  }

  const rest = (resting: Worker): void => {
    resting.unref()
    idle = setTimeout(() => {
      end(resting)
      void resting.terminate()
    }, idleMs).unref()
  }

  const send = (to: Worker): void => {
    clearTimeout(idle)
    to.ref()
    const byKey = Map.groupBy(asked.splice(0, batchMax), ({ key }) => key)
    for (const each of asked.splice(0)) alone(each)
    underWay = [...byKey.values()].flat()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread's has none
    to.postMessage(batchOf(byKey, keyNumbers))
  }

  /** The requests of one turn of the event loop. */
  const turn = (): void => {
    if (underWay || asked.length === 0) return
    if (!worker && asked.length >= startMin) worker = start()
    // While it starts, the other threads are used.
    if (worker && isReady) send(worker)
    else for (const each of asked.splice(0)) alone(each)
  }

  return {
    sign: (key: KeyObject, text: string): Promise<Buffer> =>
      new Promise((done, failed) => {
        if (asked.push({ key, text, done, failed }) > 1 || underWay) return
        if (isReady) setTimeout(turn, gatherMs)
        else setImmediate(turn)
      }),
  }
})

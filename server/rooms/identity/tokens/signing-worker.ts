import { type KeyObject, sign } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

/** A key is sent with its number the first time. */
export type SignatureBatch = readonly { number: number; key?: KeyObject; texts: readonly string[] }[]
const signatureBytes = 64

const keys: KeyObject[] = []

parentPort?.on('message', (batch: SignatureBatch) => {
  const count = batch.reduce((sum, { texts }) => sum + texts.length, 0)
  // In the order in which they were requested.
  const signatures = new Uint8Array(count * signatureBytes)
  let at = 0
  for (const { number, key: given, texts } of batch) {
    if (given) keys[number] = given
    const key = keys[number] as KeyObject
    for (const text of texts) {
      signatures.set(sign(null, Buffer.from(text), key), at)
      at += signatureBytes
    }
  }
  parentPort?.postMessage(signatures, [signatures.buffer])
})

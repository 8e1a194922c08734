import type { Source } from './blocks.ts'

const wantedBytes = 5

export type Peeked = { first: Uint8Array; source: Source; close(): Promise<void> }

/** The first bytes of a source, and a source that still has them, to be read or to be closed. */
export async function peek(source: Source): Promise<Peeked> {
  const pieces = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>
  const begun: Uint8Array[] = []
  let bytes = 0
  let isEnded = false
  while (bytes < wantedBytes && !isEnded) {
    const { done, value } = await pieces.next()
    if (done) isEnded = true
    else {
      begun.push(value)
      bytes += value.length
    }
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      yield* begun
      while (!isEnded) {
        const { done, value } = await pieces.next()
        if (done) isEnded = true
        else yield value
      }
    } finally {
      await pieces.return?.()
    }
  }
  return {
    first: Buffer.concat(begun).subarray(0, wantedBytes),
    source: whole(),
    close: async () => void (await pieces.return?.()),
  }
}

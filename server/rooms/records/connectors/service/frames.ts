import type { DescMethod } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { loadProtocol } from '#rooms/records/baton/index.ts'

const { messageExcess } = await loadProtocol()

const kibibyte = 1024
const usualBytesMax = 64 * kibibyte
/** What may be longer: of a connector with many kinds of resources, the answer of an app, and at most 1 MiB of a file. */
const bytesMax: Readonly<Record<string, number>> = {
  Hello: 512 * kibibyte,
  FinishTask: 512 * kibibyte,
  UploadAsset: 2048 * kibibyte,
}

/** A flag for compression, which nobody uses here, and four bytes of length. */
const headBytes = 5

/**
 * The messages of a call, each passed on when all of it has come and it is known to be small enough to decode: by its bytes before
 * they come, and by its fields before they are decoded. Connect has a limit for the bytes only, and the same for all methods.
 */
export async function* checkedMessages(
  body: AsyncIterable<Uint8Array>,
  { name, input, methodKind }: Pick<DescMethod, 'name' | 'input' | 'methodKind'>,
): AsyncGenerator<Uint8Array> {
  const most = bytesMax[name] ?? usualBytesMax
  let chunks: Uint8Array[] = []
  let held = 0
  /** Of the message that is coming in; null before its length is known. */
  let wanted: number | null = null
  let messages = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    held += chunk.length
    while (held >= (wanted ?? headBytes)) {
      const all = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, held)
      chunks = [all]
      if (wanted === null) {
        const length = new DataView(all.buffer, all.byteOffset).getUint32(1)
        if (length > most)
          throw new ConnectError(`A message of ${name} may have at most ${most} bytes.`, Code.ResourceExhausted)
        if (++messages > 1 && methodKind === 'unary')
          throw new ConnectError(`${name} takes one message.`, Code.InvalidArgument)
        wanted = headBytes + length
        continue
      }
      const message = all.subarray(0, wanted)
      const excess = messageExcess(input, message.subarray(headBytes))
      if (excess) throw new ConnectError(`The message of ${name} ${excess}.`, Code.InvalidArgument)
      held -= wanted
      chunks = held === 0 ? [] : [all.subarray(wanted)]
      wanted = null
      yield message
    }
  }
  // What is incomplete is passed on: it is refused as such.
  yield* chunks
}

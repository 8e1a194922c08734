import type { DescMethod } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { loadProtocol } from '#rooms/records/baton/index.ts'

const { messageExcess } = await loadProtocol()

const kibibyte = 1024
const usualBytesMax = 64 * kibibyte
/**
 * Messages that may be longer: those of a connector with many kinds of resources, the response of an app, and at most 1 MiB
 * of a file.
 */
const bytesMax: Readonly<Record<string, number>> = {
  Hello: 512 * kibibyte,
  FinishTask: 512 * kibibyte,
  UploadAsset: 2048 * kibibyte,
}

/** A flag for compression, which is not used here, and four bytes of length. */
const headBytes = 5

/**
 * The messages of a call, each passed on once it is complete and known to be small enough to decode: its bytes are limited
 * before they arrive, and its fields before they are decoded. Connect limits the bytes only, and has the same limit for all
 * methods.
 */
export async function* checkedMessages(
  body: AsyncIterable<Uint8Array>,
  { name, input, methodKind }: Pick<DescMethod, 'name' | 'input' | 'methodKind'>,
): AsyncGenerator<Uint8Array> {
  const most = bytesMax[name] ?? usualBytesMax
  let chunks: Uint8Array[] = []
  let held = 0
  /** The size of the message that is arriving; null until its length is known. */
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
  // An incomplete message is passed on: it is refused as such.
  yield* chunks
}

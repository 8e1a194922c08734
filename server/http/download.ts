import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Download } from '#kernel/download.ts'

/** The same file with its first piece written: any error of the request has been thrown by then. */
export async function begun({ pieces }: Download): Promise<AsyncGenerator<string>> {
  const rest = pieces[Symbol.asyncIterator]()
  const first = await rest.next()
  return (async function* () {
    try {
      for (let piece = first; !piece.done; piece = await rest.next()) yield piece.value
    } finally {
      await rest.return?.()
    }
  })()
}

/**
 * Sends a file. At most one piece waits, besides what the system buffers: the next one is written once there is room,
 * and a client that does not read is disconnected as with any reply (guards/patience.ts). An error in the middle ends
 * the connection, so that nobody takes a part for the whole.
 */
export const sendDownload = (
  reply: FastifyReply,
  { type, name }: Download,
  pieces: AsyncGenerator<string>,
): FastifyReply =>
  reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"`)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .send(Readable.from(bytes(pieces), { objectMode: false }))

async function* bytes(pieces: AsyncGenerator<string>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece)
}

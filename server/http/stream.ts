import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '#kernel/refusals.ts'
import type { BodyStream } from '#kernel/routes.ts'

const streamBytesMax = 1024 ** 3
// How long a client may be silent while it is waited for.
const silenceMsMax = 30_000

const mediaTypeOf = ({ headers }: FastifyRequest): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() as string

/** Whether the body is one that its route takes as it comes in. */
export const isStreamed = (request: FastifyRequest): boolean =>
  request.routeOptions.config.route?.stream?.includes(mediaTypeOf(request)) ?? false

const streaming = new WeakSet<object>()
/** Whether a body is coming in on the socket that may take longer than requests usually may. */
export const isStreaming = (socket: Socket): boolean => streaming.has(socket)

const brokeOff = (): Refusal => new Refusal('BODY_MALFORMED', 'The body broke off.')
const silent = (): Refusal => new Refusal('REQUEST_TIMEOUT', 'The request took too long to arrive.')
const tooLarge = (): Refusal => new Refusal('BODY_TOO_LARGE', 'The body is larger than 1 GiB.')

/** The body of a request that is streamed; one without a body has an empty one. */
export function streamIn(request: FastifyRequest): BodyStream {
  const { body, raw } = request
  // Told before anything is done with it, also before a byte has come.
  if (Number(raw.headers['content-length']) > streamBytesMax) throw tooLarge()
  if (!(body instanceof Readable)) return { type: '', source: Readable.from([]) }
  return { type: mediaTypeOf(request), source: piecesOf(raw, body) }
}

/**
 * The stream is left open behind whoever stops reading: the answer goes out on the same connection. What breaks it is the
 * client's doing; its error, `ECONNRESET`, must not be taken for the database's.
 */
async function* piecesOf(raw: IncomingMessage, body: Readable): AsyncGenerator<Uint8Array> {
  const { socket } = raw
  const pieces = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array, undefined>
  let bytes = 0
  streaming.add(socket)
  try {
    for (;;) {
      const { done, value } = await withinSilence(pieces.next())
      if (done) return
      bytes += value.length
      if (bytes > streamBytesMax) throw tooLarge()
      yield value
    }
  } finally {
    streaming.delete(socket)
    // An `error` without a listener would end the process.
    body.on('error', () => {})
    // Not waited for: where the client is silent, it comes to no end.
    void pieces.return?.()?.catch(() => {})
  }
}

async function withinSilence<T>(next: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(silent()), silenceMsMax)
  try {
    return await Promise.race([
      next.catch(() => {
        throw brokeOff()
      }),
      promise,
    ])
  } finally {
    clearTimeout(timer)
  }
}

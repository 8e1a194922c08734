import type { IncomingMessage } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { paceOf } from '#kernel/pace.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { BodyStream } from '#kernel/routes.ts'
import type { HttpLimits } from './guards/limits.ts'

const streamBytesMax = 1024 ** 3

const mediaTypeOf = ({ headers }: FastifyRequest): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() as string

/** Whether the body is one that its route takes as it arrives. */
export function isStreamed(request: FastifyRequest): boolean {
  const { route, passesOn } = request.routeOptions.config
  return (passesOn ?? route?.stream)?.includes(mediaTypeOf(request)) ?? false
}

const streaming = new WeakSet<object>()
/** Whether a socket or an HTTP/2 stream has a body in transit that may take longer than requests usually may. */
export const isStreaming = (on: object): boolean => streaming.has(on)

/** For callers that read a body without `streamIn`. */
export function streamingUntilClosed(stream: ServerHttp2Stream): void {
  streaming.add(stream)
  stream.once('close', () => streaming.delete(stream))
}

const brokeOff = (): Refusal => new Refusal('BODY_MALFORMED', 'The body is incomplete.')
const silent = (): Refusal => new Refusal('REQUEST_TIMEOUT', 'The request took too long to arrive.')
const tooLarge = (): Refusal => new Refusal('BODY_TOO_LARGE', 'The body is larger than 1 GiB.')

/** The body of a request that is streamed; one without a body has an empty one. */
export function streamIn(request: FastifyRequest, limits: HttpLimits['stream']): BodyStream {
  const { body, raw } = request
  // Refused before anything is done with it, even before a byte has arrived.
  if (Number(raw.headers['content-length']) > streamBytesMax) throw tooLarge()
  if (!(body instanceof Readable)) return { type: '', source: Readable.from([]) }
  return { type: mediaTypeOf(request), source: piecesOf(raw, body, limits) }
}

/**
 * The stream stays open when its consumer stops reading: the response is sent on the same connection. If it breaks, the
 * client did it; its error, `ECONNRESET`, must not be taken for one of the database.
 */
async function* piecesOf(
  raw: IncomingMessage & { stream?: object },
  body: Readable,
  limits: HttpLimits['stream'],
): AsyncGenerator<Uint8Array> {
  const on = raw.stream ?? raw.socket
  const pace = paceOf<Uint8Array>(limits, ({ length }) => length, silent)
  const pieces = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array, undefined>
  let bytes = 0
  streaming.add(on)
  try {
    for (;;) {
      const { done, value } = await pace(
        pieces.next().catch(() => {
          throw brokeOff()
        }),
      )
      if (done) return
      bytes += value.length
      if (bytes > streamBytesMax) throw tooLarge()
      yield value
    }
  } finally {
    streaming.delete(on)
    // An `error` without a listener would end the process.
    body.on('error', () => {})
    // Not awaited: if the client sends nothing, it never ends.
    void pieces.return?.()?.catch(() => {})
  }
}

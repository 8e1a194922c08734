import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Refusal, serverBusy } from '#kernel/refusals.ts'
import type { Log } from '#kernel/world.ts'
import { errorBody } from './errors.ts'
import { methodNotAllowed } from './methods.ts'
import { newRequestId } from './request-ids.ts'
import { isStreaming } from './stream.ts'

type ClientError = Error & { code?: string; rawPacket?: unknown }

// RFC 9112 section 3: a request line that is valid except for an unknown method.
const requestLine = /^([\w!#$%&'*+.^`|~-]{1,32}) \S+ HTTP\/1\.[01]\r?\n/
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

function refusalOf({ code, rawPacket }: ClientError, wasAway: () => boolean): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal('HEADERS_TOO_LARGE', 'The headers are too large.')
  // Node uses the time of day: if this server did not read, the client may not be at fault.
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return wasAway()
      ? serverBusy('The server did not read the request in time', 1)
      : new Refusal('REQUEST_TIMEOUT', 'The request took too long to arrive.')
  const method =
    code === 'HPE_INVALID_METHOD' && requestLine.exec((rawPacket as Buffer | undefined)?.toString('latin1') ?? '')?.[1]
  if (method) return methodNotAllowed(method, methods)
  return new Refusal('REQUEST_MALFORMED', 'The request is not valid HTTP.')
}

/** Input that is not HTTP never becomes a request: the response is written to the bare socket. */
export function clientErrorHandler(log: Log, wasAway: () => boolean): (error: ClientError, socket: Socket) => void {
  return (error, socket) => {
    // Like Node itself: nothing is written into the middle of a response.
    const answering = (socket as { _httpMessage?: ServerResponse })._httpMessage
    // Node has one timeout for whole requests, and checks each only once.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isStreaming(socket)) return
    if (
      error.code === 'ECONNRESET' ||
      error.code?.startsWith('ERR_TLS_') ||
      error.code?.startsWith('ERR_SSL_') ||
      !socket.writable ||
      answering?.headersSent
    )
      return void socket.destroy()
    const refusal = refusalOf(error, wasAway)
    const requestId = newRequestId()
    const body = JSON.stringify(errorBody(refusal))
    const { retryAfterSeconds: retryAfter, metadata: { allow } = {} } = refusal.detail
    socket.end(
      `HTTP/1.1 ${refusal.status} Refused\r\nContent-Type: application/json\r\n${allow ? `Allow: ${allow}\r\n` : ''}` +
        `${retryAfter ? `Retry-After: ${retryAfter}\r\n` : ''}X-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
    log.info({ requestId, status: refusal.status, reason: refusal.reason, from: socket.remoteAddress })
  }
}

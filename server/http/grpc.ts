import type { IncomingMessage } from 'node:http'
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '#kernel/refusals.ts'

/** Whether a request uses gRPC, which requires HTTP/2. */
export const isGrpc = ({ raw, headers }: FastifyRequest): boolean =>
  raw.httpVersionMajor >= 2 && /^application\/grpc(?:[+;]|$)/i.test(headers['content-type'] ?? '')

const unimplemented = 12
// With each of these refusals the address has no method for gRPC.
const ofAddress: readonly string[] = ['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED', 'CONTENT_TYPE_UNSUPPORTED']

/**
 * The refusal in the form for gRPC clients: headers only, with the status in them ("Trailers-Only" of the gRPC
 * protocol). With an HTTP status and JSON it would be reported as an unknown error.
 */
export function sendGrpcRefusal(reply: FastifyReply, refusal: Refusal): void {
  const status = ofAddress.includes(refusal.reason) ? unimplemented : refusal.code
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.setHeader('content-type', 'application/grpc')
  raw.setHeader('grpc-status', String(status))
  raw.setHeader('grpc-message', encodeMessage(refusal.message))
  // Not by writeHead: it would send the headers before it is known that nothing follows them.
  raw.statusCode = 200
  raw.end()
  stopSending(reply.request.raw)
}

/** RFC 9113 section 8.1: asks an HTTP/2 client that has its response to stop sending what nobody reads. */
export function stopSending({ stream }: IncomingMessage & { stream?: ServerHttp2Stream }): void {
  if (stream && !stream.closed && !stream.destroyed && !stream.state.remoteClose)
    stream.close(constants.NGHTTP2_NO_ERROR)
}

// Percent-encoded, except printable ASCII other than the percent sign.
const encodeMessage = (text: string): string =>
  text.replace(/[^ -$&-~]/gu, (character) => encodeURIComponent(character))

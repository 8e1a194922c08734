import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '#kernel/refusals.ts'

/** Whether a request speaks gRPC, which goes by HTTP/2 only. */
export const isGrpc = ({ raw, headers }: FastifyRequest): boolean =>
  raw.httpVersionMajor >= 2 && /^application\/grpc(?:[+;]|$)/i.test(headers['content-type'] ?? '')

const unimplemented = 12
// No method of ours is spoken by gRPC, whichever of these says so.
const ofAddress: readonly string[] = ['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED', 'CONTENT_TYPE_UNSUPPORTED']

/**
 * The refusal as a gRPC client reads it: headers only, with the status in them ("Trailers-Only" of the gRPC protocol). With
 * an HTTP status and JSON it would be told as an unknown error.
 */
export function sendGrpcRefusal(reply: FastifyReply, refusal: Refusal): void {
  const status = ofAddress.includes(refusal.reason) ? unimplemented : refusal.code
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.setHeader('content-type', 'application/grpc')
  raw.setHeader('grpc-status', String(status))
  raw.setHeader('grpc-message', encodeMessage(refusal.message))
  raw.writeHead(200)
  raw.end()
}

// Percent-encoded, but for printable ASCII other than the percent sign.
const encodeMessage = (text: string): string =>
  text.replace(/[^ -$&-~]/gu, (character) => encodeURIComponent(character))

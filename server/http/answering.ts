import type { FastifyReply, FastifyRequest } from 'fastify'
import { lineWriter } from '#kernel/log.ts'
import { Refusal } from '#kernel/refusals.ts'
import { stranger } from '#kernel/routes.ts'
import { askedBy } from './asked.ts'
import { afterBody } from './body.ts'
import { bug, refusalOf, sendRefusal } from './errors.ts'
import type { HttpLimits } from './guards/limits.ts'
import type { ServerParts } from './parts.ts'
import { requestLine } from './request-line.ts'

/** What all responses have in common, and how errors become responses. */
export function openAnswering(parts: ServerParts, limits: HttpLimits) {
  const writeLine = lineWriter(parts.log)

  /** The one place where an error becomes a response. */
  function answer(error: unknown, reply: FastifyReply): void {
    const refusal = refusalOf(error, parts.presence.isAbsence)
    if (!refusal) parts.log.error({ err: error, requestId: reply.request.id }, 'a bug')
    if (parts.presence.isAbsence(error)) parts.presence.suspect()
    // No further wait for a client that has sent too slowly.
    const restMs = refusal?.reason === 'REQUEST_TIMEOUT' ? 0 : limits.requestMs
    afterBody(reply.request.raw, restMs, (isWhole) => {
      // Fastify closes the connection after any error in a body: not necessary if the body has been read to its end.
      if (isWhole && reply.hasHeader('connection')) reply.removeHeader('connection')
      sendRefusal(reply, refusal ?? bug())
    })
  }

  /** For what Fastify refuses before it is a request with hooks. */
  function answerUnrouted(error: unknown, reply: FastifyReply): void {
    stamp(reply)
    reply.raw.once('finish', () => record(reply, 'unknown'))
    answer(error, reply)
  }

  function stamp(reply: FastifyReply): void {
    reply.header('x-request-id', reply.request.id)
    reply.header('x-content-type-options', 'nosniff')
    reply.header('cache-control', 'no-store')
    if (parts.tls) reply.header('strict-transport-security', 'max-age=31536000')
  }

  function record(reply: FastifyReply, route: string): void {
    const { request, statusCode: status } = reply
    parts.metrics.observe(request.method, route, status, reply.elapsedTime)
    if (parts.logRequests === 'none' || (parts.logRequests === 'failed' && status < 500)) return
    if (parts.log.isLevelEnabled('info')) writeLine(requestLine(reply))
  }

  /** `whyUnrouted`: why no route takes a method and a URL. */
  async function onError(
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    whyUnrouted: WhyUnrouted,
  ): Promise<FastifyReply> {
    const denied = error instanceof Refusal && (error.status === 401 || error.status === 403) && error
    let thrown: unknown = error
    const { route, door } = request.routeOptions.config
    if (door && request.tenant && error instanceof Refusal && request.actor !== stranger)
      door.onRefused(parts.world, request.tenant, request.actor, error)
    // The console sends the same request when a session has ended: the browser then shows the sign-in page, and nothing
    // was denied.
    const isQuestion =
      route?.asksWhoIsThere && denied && (denied.reason === 'TOKEN_MISSING' || denied.detail.isExpected === true)
    if (denied && request.tenant && !route?.errors && !isQuestion)
      await parts.onDenied(askedBy(request), request.actor, denied).catch((cause: unknown) => {
        thrown = cause
      })
    // HTTP/2 accepts unknown methods, and Fastify does not take them for requests.
    if ((error as { code?: string } | null)?.code === 'FST_ERR_NOT_FOUND')
      answerUnrouted(whyUnrouted(request.method, request.url), reply)
    else answer(thrown, reply)
    return reply
  }

  return { answerUnrouted, stamp, record, onError }
}

type WhyUnrouted = (method: string, url: string) => Refusal

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { lineWriter } from '#kernel/log.ts'
import { Refusal } from '#kernel/refusals.ts'
import { stranger } from '#kernel/routes.ts'
import { askedBy } from './asked.ts'
import { afterBody } from './body.ts'
import { bug, refusalOf, sendRefusal } from './errors.ts'
import type { HttpLimits } from './guards/limits.ts'
import type { watchRoutes } from './methods.ts'
import { requestLine } from './request-line.ts'
import type { ServerParts } from './server-parts.ts'

/** What answering a request needs. */
export type Answering = { parts: ServerParts; limits: HttpLimits; writeLine: ReturnType<typeof lineWriter> }

/** The one place where what was thrown becomes what is answered. */
function answer({ parts, limits }: Answering, error: unknown, reply: FastifyReply): void {
  const refusal = refusalOf(error, parts.presence.isAbsence)
  if (!refusal) parts.log.error({ err: error, requestId: reply.request.id }, 'a bug')
  if (parts.presence.isAbsence(error)) parts.presence.suspect()
  // Who has sent too slowly is not waited for again.
  const restMs = refusal?.reason === 'REQUEST_TIMEOUT' ? 0 : limits.requestMs
  afterBody(reply.request.raw, restMs, (isWhole) => {
    // Fastify closes the connection after any error in a body: needless, where it has been read to its end.
    if (isWhole && reply.hasHeader('connection')) reply.removeHeader('connection')
    sendRefusal(reply, refusal ?? bug())
  })
}

/** For what Fastify refuses before it is a request with hooks. */
export function answerUnrouted(answering: Answering, error: unknown, reply: FastifyReply): void {
  stamp(answering.parts, reply)
  reply.raw.once('finish', () => recordRequest(answering, reply, 'unknown'))
  answer(answering, error, reply)
}

export function stamp({ tls }: Pick<ServerParts, 'tls'>, reply: FastifyReply): void {
  reply.header('x-request-id', reply.request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cache-control', 'no-store')
  if (tls) reply.header('strict-transport-security', 'max-age=31536000')
}

/** One metric and one log line. */
export function recordRequest({ parts, writeLine }: Answering, reply: FastifyReply, route: string): void {
  const { request, statusCode: status } = reply
  parts.metrics.observe(request.method, route, status, reply.elapsedTime)
  if (parts.logRequests === 'none' || (parts.logRequests === 'failed' && status < 500)) return
  if (parts.log.isLevelEnabled('info')) writeLine(requestLine(reply))
}

type WhyUnrouted = ReturnType<typeof watchRoutes>

/** Answers what was thrown while a request was handled; a refusal is recorded first. */
export const onError =
  (answering: Answering, whyUnrouted: WhyUnrouted) =>
  async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { parts } = answering
    const denied = error instanceof Refusal && (error.status === 401 || error.status === 403) && error
    let thrown: unknown = error
    const { route, door } = request.routeOptions.config
    if (door && request.tenant && error instanceof Refusal && request.actor !== stranger)
      door.onRefused(parts.world, request.tenant, request.actor, error)
    // A browser whose session has ended asks in the same way: it is shown the sign-in page, and was denied nothing.
    const isQuestion =
      route?.asksWhoIsThere && denied && (denied.reason === 'TOKEN_MISSING' || denied.detail.isExpected === true)
    if (denied && request.tenant && !route?.errors && !isQuestion)
      await parts.onDenied(askedBy(request), request.actor, denied).catch((cause: unknown) => {
        thrown = cause
      })
    // HTTP/2 lets through methods that nobody has heard of, and Fastify does not take them for requests.
    if ((error as { code?: string } | null)?.code === 'FST_ERR_NOT_FOUND')
      answerUnrouted(answering, whyUnrouted(request.method, request.url), reply)
    else answer(answering, thrown, reply)
    return reply
  }

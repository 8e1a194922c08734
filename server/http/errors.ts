import type { FastifyReply, FastifyRequest } from 'fastify'
import { challenge } from '#kernel/challenge.ts'
import { Refusal, serverBusy } from '#kernel/refusals.ts'
import { isGrpc, sendGrpcRefusal } from './grpc.ts'
import { nothingHere } from './methods.ts'
import { sendJson } from './reply.ts'

export const forbidden = (permission: string): Refusal =>
  new Refusal('PERMISSION_DENIED', `This needs the permission ${permission}.`, { metadata: { permission } })

export const sessionRequired = (): Refusal =>
  new Refusal('SESSION_REQUIRED', 'This requires a session of the console; an access token is not accepted.')

export const freshSignInRequired = (): Refusal =>
  new Refusal('FRESH_SIGN_IN_REQUIRED', 'This needs a recent sign-in: sign in again, then repeat the request.')

/** The body of a refusal, as the clients of the published API know it. */
export function errorBody(refusal: Refusal): object {
  const { metadata = {}, violations, existingId } = refusal.detail
  const details: object[] = [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: refusal.reason,
      domain: 'bailiwick',
      metadata,
      ...(existingId && { id: existingId }),
    },
  ]
  if (violations) details.push({ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations })
  return { code: refusal.code, message: refusal.message, details }
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal): void {
  if (isGrpc(reply.request)) return sendGrpcRefusal(reply, refusal)
  const { retryAfterSeconds: retryAfter } = refusal.detail
  // A proxy that forwards such requests may mistake the next one on the connection for that of another client.
  const isUnclear = refusal.reason === 'HOST_INVALID' || refusal.reason === 'REQUEST_MALFORMED'
  if (isUnclear && reply.request.raw.httpVersionMajor === 1) reply.header('connection', 'close')
  if (retryAfter) reply.header('retry-after', retryAfter)
  if (refusal.reason === 'METHOD_NOT_ALLOWED') reply.header('allow', refusal.detail.metadata?.['allow'])
  const { route, door } = reply.request.routeOptions.config
  const form = (door?.errors ?? route?.errors)?.(refusal)
  if (form) {
    sendJson(reply.code(form.status).headers(form.headers), JSON.stringify(form.body), door?.types[0])
    return
  }
  const asked = challengeOf(reply.request, refusal)
  if (asked) reply.header('www-authenticate', asked)
  if (refusal.detail.headers) reply.headers(refusal.detail.headers)
  sendJson(reply.code(refusal.status), JSON.stringify(errorBody(refusal)))
}

/**
 * RFC 6750 section 3: a token that was sent and is not accepted, or permits too little, has a different error from one
 * that was not sent. A caller in the console has no token, and is not asked for one.
 */
function challengeOf({ tenant, actor, headers }: FastifyRequest, { reason, status, message }: Refusal): string | null {
  const realm = tenant?.domain ?? 'bailiwick'
  const scheme = /^dpop /i.test(headers.authorization ?? '') ? 'DPoP' : 'Bearer'
  if (reason === 'PERMISSION_DENIED' && actor.tokenId !== '')
    return challenge(realm, { scheme, error: 'insufficient_scope', description: message })
  if (status !== 401) return null
  if (reason === 'TOKEN_MISSING' || reason === 'SESSION_ENDED') return challenge(realm)
  return challenge(realm, { scheme, error: 'invalid_token', description: message })
}

const retryAfterSeconds = 1
export const databaseAway = (): Refusal =>
  new Refusal('DATABASE_AWAY', 'The database is unavailable, and nothing was changed; try again shortly.', {
    retryAfterSeconds,
  })

export const bug = (): Refusal =>
  new Refusal('INTERNAL', 'Internal server error. The x-request-id header identifies this request in the server log.')

const ofFastify: Record<string, () => Refusal> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Refusal('BODY_TOO_LARGE', 'The body is larger than 1 MiB.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Refusal('CONTENT_TYPE_UNSUPPORTED', 'The body must be sent as application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Refusal('BODY_MALFORMED', 'The body does not have the length given in Content-Length.'),
  FST_ERR_BAD_URL: () => new Refusal('URL_MALFORMED', 'The URL is not valid: check its percent-encoding.'),
  FST_ERR_MAX_PARAM_LENGTH: nothingHere,
}

/** What was thrown, as a refusal; null if it is a bug. */
export function refusalOf(error: unknown, isAbsence: (error: unknown) => boolean): Refusal | null {
  if (error instanceof Refusal) return error
  if (isAbsence(error)) return databaseAway()
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number }
  const known = code ? ofFastify[code] : undefined
  if (known) return known()
  // Class 53: the disk or the memory is full. It may be temporary, and the request is not at fault.
  if (code?.length === 5 && code.startsWith('53'))
    return new Refusal(
      'DATABASE_AWAY',
      'The database is out of space or memory, and nothing was changed; try again shortly.',
      { retryAfterSeconds },
    )
  // 57014: our own statement_timeout; 55P03: our own lock_timeout. A timeout does not mean that the request is at
  // fault.
  if (code === '57014') return serverBusy('The database did not finish in time', retryAfterSeconds)
  if (code === '55P03')
    return serverBusy('The same object was being changed by another request for too long', retryAfterSeconds)
  if (Error.isError(error) && code?.startsWith('FST_') && statusCode && statusCode < 500)
    return new Refusal('REQUEST_MALFORMED', 'The request is not valid HTTP.')
  return null
}

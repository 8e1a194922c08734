import type { ApiErrorBody, ErrorReason } from './api/types.ts'

export type Violation = { field: string; description: string }
type Detail = {
  '@type': string
  reason?: ErrorReason
  metadata?: Record<string, string>
  fieldViolations?: Violation[]
}
export type Refused = {
  /** The HTTP status; 0 if there was no response. */
  status: number
  body: Partial<ApiErrorBody> | null
  requestId: string
  retryAfterSeconds?: number | null
}

/** A refusal of the API, with its message. Each reason has its own class: see api/errors.ts. */
export class ApiError extends Error {
  readonly status: number
  /** Why, for programs; empty if the response did not come from the API. */
  readonly reason: ErrorReason | ''
  /** Finds the request in the server's log. */
  readonly requestId: string
  /** What is wrong with which field. */
  readonly violations: readonly Violation[]
  readonly metadata: Readonly<Record<string, string>>
  /** When to try again, if the server returned it. */
  readonly retryAfterSeconds: number | null

  constructor({ status, body, requestId, retryAfterSeconds = null }: Refused, options?: ErrorOptions) {
    super(body?.message ?? `The server returned ${status} without a reason.`, options)
    const details = (body?.details ?? []) as Detail[]
    this.name = new.target.name
    this.status = status
    this.reason = reasonIn(body)
    this.metadata = details.find(({ metadata }) => metadata)?.metadata ?? {}
    this.violations = details.flatMap(({ fieldViolations }) => fieldViolations ?? [])
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export const reasonIn = (body: Partial<ApiErrorBody> | null): ErrorReason | '' =>
  ((body?.details ?? []) as Detail[]).find(({ reason }) => reason)?.reason ?? ''

/** There was no response: a problem with the network, the name of the host, or the server. */
export class UnreachableError extends ApiError {
  constructor(options?: ErrorOptions) {
    const message = 'The server cannot be reached. Check the connection and try again.'
    super({ status: 0, body: { message }, requestId: '' }, options)
  }
}

/** The server did not respond in time. */
export class TimedOutError extends ApiError {
  constructor(timeoutMs: number, options?: ErrorOptions) {
    const message = `The server did not respond within ${timeoutMs / 1000} seconds.`
    super({ status: 0, body: { message }, requestId: '' }, options)
  }
}

/** The token endpoint refused the client: an OAuth 2.0 error (RFC 6749 section 5.2). */
export class SignInError extends Error {
  readonly status: number
  /** As in `invalid_client`. */
  readonly error: string

  constructor(status: number, { error = '', error_description: description = '' }: OauthErrorBody) {
    super(description || error || `The token endpoint returned ${status} without a reason.`)
    this.name = 'SignInError'
    this.status = status
    this.error = error
  }
}
type OauthErrorBody = { error?: string; error_description?: string }

import type { ApiErrorBody } from '../api/types.ts'

type Violation = { field: string; description: string }
type Detail = {
  '@type': string
  reason?: string
  metadata?: Record<string, string>
  fieldViolations?: Violation[]
}

/** A refusal of the API, in its own words. */
export class ApiError extends Error {
  readonly status: number
  readonly reason: string
  readonly requestId: string
  readonly violations: readonly Violation[]
  readonly metadata: Readonly<Record<string, string>>

  constructor(status: number, body: Partial<ApiErrorBody> | null, requestId: string) {
    super(body?.message ?? `The server answered ${status} without saying why.`)
    const details = (body?.details ?? []) as Detail[]
    this.status = status
    this.reason = details.find(({ reason }) => reason)?.reason ?? ''
    this.metadata = details.find(({ metadata }) => metadata)?.metadata ?? {}
    this.violations = details.flatMap(({ fieldViolations }) => fieldViolations ?? [])
    this.requestId = requestId
  }
}

export const unreachable = (): ApiError =>
  new ApiError(0, { message: 'The server cannot be reached. Check the connection and try again.' }, '')

/** What is wrong with one field of a form, if the API said so. */
export const problemOf = (error: unknown, field: string): string | undefined =>
  error instanceof ApiError
    ? error.violations.find((each) => each.field === field || each.field.startsWith(`${field}[`))?.description
    : undefined

/** Not refused, but put before others: it is done when they approve it. */
export const isSentForApproval = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.reason === 'CHANGE_NEEDS_APPROVAL'

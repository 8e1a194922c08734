import { ApiError } from '#client/api-error.ts'

/** The API's error for one field of a form, if there is one. */
export const problemOf = (error: unknown, field: string): string | undefined =>
  error instanceof ApiError
    ? error.violations.find((each) => each.field === field || each.field.startsWith(`${field}[`))?.description
    : undefined

/** Not refused, but put before others: it is done when they approve it. */
export const isSentForApproval = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.reason === 'CHANGE_NEEDS_APPROVAL'

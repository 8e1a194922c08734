import { ApiError } from '#client/api-error.ts'

/** What is wrong with one field of a form, if the API said so. */
export const problemOf = (error: unknown, field: string): string | undefined =>
  error instanceof ApiError
    ? error.violations.find((each) => each.field === field || each.field.startsWith(`${field}[`))?.description
    : undefined

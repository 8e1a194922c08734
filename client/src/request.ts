import { errorClasses } from './api/errors.ts'
import type { ApiErrorBody } from './api/types.ts'
import { ApiError, reasonIn } from './api-error.ts'

type Plain = string | number | boolean | null | undefined

/** The input of an operation, by its place in the request. */
export type Parts = {
  path?: Record<string, string>
  query?: Record<string, Plain | readonly string[]>
  body?: unknown
  file?: Blob
}

/** An operation's address: the path with its parameters, and the query. */
export function addressOf(path: string, { path: parameters = {}, query = {} }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? (value as readonly string[]) : [value as Plain])
      if (each !== undefined && each !== null && each !== '') search.append(name, `${each}`)
  return search.size > 0 ? `${filled}?${search}` : filled
}

export type Answer = { status: number; text: string; requestId: string; retryAfter?: string | null }

/** Returns the API's response; its refusals are thrown, each as the class of its reason. */
export function readAnswer({ status, text, requestId, retryAfter }: Answer): unknown {
  const json = parsed(text)
  if (status === 200 && json !== null) return json
  const body = json as Partial<ApiErrorBody> | null
  const reason = reasonIn(body)
  const OfReason = reason === '' ? ApiError : (errorClasses[reason] ?? ApiError)
  throw new OfReason({ status, body, requestId, retryAfterSeconds: secondsOf(retryAfter) })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not from the API: a proxy's own page, perhaps. The error has its status alone.
    return null
  }
}

/** `Retry-After` as the API writes it: seconds. A proxy may write a date, which is ignored. */
const secondsOf = (header: string | null | undefined): number | null =>
  header && /^\d{1,6}$/.test(header) ? Number(header) : null

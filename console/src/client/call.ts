import type { ApiErrorBody } from '../api/types.ts'
import { ApiError, unreachable } from './api-error.ts'
import { signInAfresh } from './fresh.ts'
import type { Operation } from './operation.ts'

type Parts = {
  path?: Record<string, string>
  query?: Record<string, string | number | boolean | null | undefined>
  body?: unknown
}

/** An operation's address: the path's parameters put in, the query behind it. */
export function urlOf(path: string, { path: parameters = {}, query = {} }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') search.set(name, `${value}`)
  return search.size > 0 ? `${filled}?${search}` : filled
}

/** Told when the session has ended; set by the router, which shows the sign-in page. */
let onSignedOut = (_why: string): void => {}
export const whenSignedOut = (told: (why: string) => void): void => {
  onSignedOut = told
}

/** Sent with every request: another site cannot, so the server knows that it is us. */
export const consoleHeader = { 'x-bailiwick-console': '1' }

export async function readReply(status: number, text: string, requestId: string): Promise<unknown> {
  let json: unknown = null
  try {
    json = JSON.parse(text)
  } catch {
    // Not ours: a proxy's own page, perhaps. It is told by its status.
  }
  if (status === 200 && json !== null) return json
  const error = new ApiError(status, json as Partial<ApiErrorBody> | null, requestId)
  if (status === 401 && error.reason !== 'SIGN_IN_REFUSED') onSignedOut(error.metadata['why'] ?? '')
  throw error
}

/**
 * Calls an operation of the API. Refusals are thrown as `ApiError`. What needs a recent sign-in asks for one, and is then
 * done again.
 */
export async function call<Input, Reply>(
  operation: Operation<Input, Reply>,
  input: Input,
  signal?: AbortSignal,
): Promise<Reply> {
  try {
    return await callOnce(operation, input, signal)
  } catch (error) {
    const needsFresh = error instanceof ApiError && error.reason === 'FRESH_SIGN_IN_REQUIRED'
    if (!needsFresh || !(await signInAfresh())) throw error
    return callOnce(operation, input, signal)
  }
}

async function callOnce<Input, Reply>(
  operation: Operation<Input, Reply>,
  input: Input,
  signal?: AbortSignal,
): Promise<Reply> {
  const parts = input as Parts
  const hasBody = operation.method !== 'GET'
  const response = await fetch(urlOf(operation.path, parts), {
    method: operation.method,
    headers: { ...consoleHeader, ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: JSON.stringify(parts.body ?? {}) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw unreachable()
  })
  return (await readReply(response.status, await response.text(), response.headers.get('x-request-id') ?? '')) as Reply
}

import { ApiError } from '#client/api-error.ts'
import { Bailiwick } from '#client/bailiwick.ts'
import type { Operation } from '#client/operation.ts'
import { bySession } from '#client/sign-in.ts'
import { signInAfresh } from './fresh.ts'

// What is read is repeated by what shows it: see queries.ts.
const client = new Bailiwick({ url: '', signIn: bySession(), repeatsMax: 0 })

/** Called when the session has ended; set by the router, which shows the sign-in page. */
let onSignedOut = (_why: string): void => {}
export const whenSignedOut = (told: (why: string) => void): void => {
  onSignedOut = told
}

/** Notifies the router if a request was refused because nobody is signed in. The refusal is thrown again. */
export function refused(error: unknown): never {
  if (error instanceof ApiError && error.status === 401 && error.reason !== 'SIGN_IN_REFUSED')
    onSignedOut(error.metadata['why'] ?? '')
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
  const once = (): Promise<Reply> => client.call(operation, input, { signal }).catch(refused)
  try {
    return await once()
  } catch (error) {
    const needsFresh = error instanceof ApiError && error.reason === 'FRESH_SIGN_IN_REQUIRED'
    if (!needsFresh || !(await signInAfresh())) throw error
    return once()
  }
}

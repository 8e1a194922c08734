import { ApiError, TimedOutError, UnreachableError } from './api-error.ts'
import type { Operation, PagedOperation, Sendable } from './operation.ts'
import { sleep, waitMs } from './repeat.ts'
import { type Answer, addressOf, type Parts, readAnswer } from './request.ts'
import type { SignIn } from './sign-in.ts'

export type Options = {
  /** Who calls. */
  signIn: SignIn
  /** The address of the tenant, as in `https://access.example.com`. By default that of the credential's host. */
  url?: string
  /** How often a request that failed temporarily is repeated, if that is safe. By default 3 times. */
  repeatsMax?: number
  /** How long one attempt may take. By default a minute. */
  timeoutMs?: number
  /** In place of the global `fetch`: for a proxy, or for your own certificates. */
  fetch?: typeof fetch
}

export type CallOptions = {
  signal?: AbortSignal | undefined
  /** Your own key: a change is made once however often it is sent with the same key, also by a later run of your program. */
  idempotencyKey?: string
}

const keysFullMs = 3_600_000

/** A client of one tenant. */
export class Bailiwick {
  readonly url: string
  readonly #signIn: SignIn
  readonly #repeatsMax: number
  readonly #timeoutMs: number
  readonly #fetch: typeof fetch
  /** Until when no keys are sent: the server keeps a limited number of them for each caller. */
  #keysFullUntil = 0

  constructor({ signIn, url, repeatsMax = 3, timeoutMs = 60_000, fetch: own }: Options) {
    if (url === undefined && signIn.host === '') throw new TypeError('url: the address of the tenant is missing')
    this.url = (url ?? `https://${signIn.host}`).replace(/\/+$/, '')
    this.#signIn = signIn
    this.#repeatsMax = repeatsMax
    this.#timeoutMs = timeoutMs
    this.#fetch = own ?? ((...args) => fetch(...args))
  }

  /**
   * Calls an operation. Refusals are thrown as the class of their reason, a subclass of `ApiError`. Requests that failed
   * temporarily are repeated where that is safe: reads, lists, and changes, which are sent with an Idempotency-Key.
   */
  async call<Input, Reply>(
    operation: Operation<Input, Reply>,
    input: Input,
    options: CallOptions = {},
  ): Promise<Reply> {
    const key = options.idempotencyKey ?? this.#newKey(operation)
    const isSafe = operation.method === 'GET' || 'items' in operation || key !== null
    const repeatsMax = isSafe ? this.#repeatsMax : 0
    for (let repeated = 0; ; repeated++)
      try {
        return (await this.#signedIn(operation, input as Parts, key, options.signal)) as Reply
      } catch (error) {
        if (options.idempotencyKey === undefined && key !== null && isKeysFull(error)) {
          this.#keysFullUntil = Date.now() + keysFullMs
          return this.call(operation, input, options)
        }
        const ms = waitMs(error, repeated, repeatsMax)
        if (ms === null) throw error
        await sleep(ms, options.signal)
      }
  }

  /** The pages of a list, one after the other. */
  async *pages<Input, Reply, Items extends string>(
    operation: PagedOperation<Input, Reply, Items>,
    input: Input,
    options: CallOptions = {},
  ): AsyncGenerator<Reply, void, undefined> {
    let token = ''
    do {
      const reply = await this.call(operation, withToken(operation, input as Parts, token) as Input, options)
      yield reply
      token = (reply as { nextPageToken?: string }).nextPageToken ?? ''
    } while (token !== '')
  }

  /** The items of a list, from all its pages. */
  async *items<Input, Reply extends Record<Items, readonly unknown[]>, Items extends string>(
    operation: PagedOperation<Input, Reply, Items>,
    input: Input,
    options: CallOptions = {},
  ): AsyncGenerator<Reply[Items][number], void, undefined> {
    for await (const page of this.pages(operation, input, options))
      yield* page[operation.items] as Iterable<Awaited<Reply[Items][number]>>
  }

  /** Without repeats no key is needed. */
  #newKey({ isKeyed }: Sendable): string | null {
    return isKeyed && this.#repeatsMax > 0 && this.#keysFullUntil <= Date.now() ? crypto.randomUUID() : null
  }

  /** Repeats the request with a new token if the server no longer accepts the first one. */
  async #signedIn(of: Sendable, parts: Parts, key: string | null, signal?: AbortSignal) {
    try {
      return await this.#attempt(of, parts, key, signal)
    } catch (error) {
      const reason = error instanceof ApiError ? error.reason : ''
      const isOver = reason === 'TOKEN_EXPIRED' || reason === 'TOKEN_INVALID'
      // The refusal brought the nonce, which is in the next proof.
      if (reason !== 'DPOP_NONCE_REQUIRED' && !(isOver && this.#signIn.renew())) throw error
      return await this.#attempt(of, parts, key, signal)
    }
  }

  async #attempt(of: Sendable, parts: Parts, key: string | null, signal?: AbortSignal) {
    const timeout = AbortSignal.timeout(this.#timeoutMs)
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout
    const answer = await this.#send(of, parts, key, either).catch((error: unknown) => {
      if (signal?.aborted) throw error
      if (timeout.aborted) throw new TimedOutError(this.#timeoutMs, { cause: error })
      // fetch throws a TypeError if there was no response. Anything else is not about the network.
      throw error instanceof TypeError ? new UnreachableError({ cause: error }) : error
    })
    return readAnswer(answer)
  }

  async #send(of: Sendable, parts: Parts, key: string | null, signal: AbortSignal): Promise<Answer> {
    const url = `${this.url}${addressOf(of.path, parts)}`
    const signedIn = await this.#signIn.headers(
      { url: this.url, fetch: this.#fetch, signal },
      { method: of.method, url },
    )
    const response = await this.#fetch(url, {
      method: of.method,
      headers: { ...signedIn, ...(key !== null && { 'idempotency-key': key }), ...typeOf(of, parts) },
      ...(of.method !== 'GET' && { body: parts.file ?? JSON.stringify(parts.body ?? {}) }),
      redirect: 'error',
      signal,
    })
    this.#signIn.hear?.(response.headers)
    return {
      status: response.status,
      text: await response.text(),
      requestId: response.headers.get('x-request-id') ?? '',
      retryAfter: response.headers.get('retry-after'),
    }
  }
}

const isKeysFull = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'IDEMPOTENCY_KEYS_TOO_MANY'

function typeOf({ method }: Sendable, { file }: Parts): Record<string, string> {
  if (method === 'GET') return {}
  return { 'content-type': file ? file.type || 'application/octet-stream' : 'application/json' }
}

/** A GET has the page token in its query, other methods have it in the body. */
function withToken({ method }: Sendable, parts: Parts, token: string): Parts {
  if (token === '') return parts
  return method === 'GET'
    ? { ...parts, query: { ...parts.query, page_token: token } }
    : { ...parts, body: { ...(parts.body as object), pageToken: token } }
}

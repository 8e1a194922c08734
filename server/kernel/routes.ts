import { type Page, pageFields } from './pages.ts'
import type { Refusal } from './refusals.ts'
import { type Fields, type Message, type MessageOf, message } from './wire.ts'
import type { World } from './world.ts'

/**
 * Routes are data. The same table is mounted on the HTTP server, written out as the API document and as the table of
 * permissions, and walked by the tests.
 */
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type At = `${Method} /${string}`

/** The `{parameters}` of a path, by name. */
export type PathOf<A extends string> = { readonly [K in ParameterIn<A>]: string }
type ParameterIn<A extends string> = A extends `${string}{${infer P}}${infer Rest}` ? P | ParameterIn<Rest> : never

/** The tenant whose host was called. `id` is the first column of every table; `publicId` is how others know it. */
export type Tenancy = { readonly id: number; readonly publicId: string; readonly domain: string }

/** Who calls, by which credential, and what they may do. */
export type Actor = {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly roleIds: readonly string[]
  readonly credentialId: string
  readonly clientId: string
  /** Which access token: its `jti`. */
  readonly tokenId: string
  readonly permissions: ReadonlySet<string>
  /** What the credential itself is held to, apart from its owner's roles: nothing it makes may be freer. */
  readonly limits: { readonly roleIds: readonly string[]; readonly sourceCidrs: readonly string[] }
}

/** The caller of a route that anyone may call. */
export const stranger: Actor = {
  userId: '',
  name: '',
  email: '',
  roleIds: [],
  credentialId: '',
  clientId: '',
  tokenId: '',
  permissions: new Set(),
  limits: { roleIds: [], sourceCidrs: [] },
}

/** One request, as an action sees it. */
export type Call = World & {
  readonly tenant: Tenancy
  readonly actor: Actor
  /** The operation's name: `Route.id`. */
  readonly operation: string
  readonly requestId: string
  readonly sourceAddress: string
  readonly headers: { readonly [name: string]: string | string[] | undefined }
}

export type Input<A extends string, Q extends Fields, B extends Fields> = {
  readonly path: PathOf<A>
  readonly query: MessageOf<Q>
  readonly body: MessageOf<B>
  /** The page asked for; only for routes with `paged`. */
  readonly page: Page
  /** The body as it comes in; only for routes with `stream`. */
  readonly stream: BodyStream
}

/** A body of any length: read once, piece by piece, by whoever takes it. `type` is one of the route's. */
export type BodyStream = { readonly type: string; readonly source: AsyncIterable<Uint8Array> }

/** What a reply may leave out: it is written as unset. */
export type Partly<F> = { readonly [K in keyof MessageOf<F>]?: MessageOf<F>[K] | undefined }

/** How a refusal leaves, where it is not as everywhere else. */
export type ErrorForm = (refusal: Refusal) => { status: number; headers: Record<string, string>; body: object }

type Definition<A extends At, Q extends Fields, B extends Fields, R extends Fields> = {
  /** The operation's name in the API document. */
  id: string
  at: A
  summary: string
  /** The permission that a caller needs. `authenticated` needs a token, `anyone` not even that. */
  allow: string
  /** A list: pages come in by query or body, as the method says, and `input.page` is there. */
  paged?: true
  /** The body is a form rather than JSON. */
  form?: true
  /** The body is not JSON, and may be long: it is given to the action as it comes in. The content types it may have. */
  stream?: readonly string[]
  errors?: ErrorForm
  query?: Message<Q>
  body?: Message<B>
  reply: Message<R>
  handle: (call: Call, input: Input<A, Q, B>) => Promise<Partly<R>> | Partly<R>
}

export type Route = {
  readonly id: string
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly allow: string
  readonly paged: boolean
  readonly form: boolean
  readonly stream: readonly string[] | null
  readonly errors: ErrorForm | null
  readonly query: Message<Fields>
  readonly body: Message<Fields> | null
  readonly reply: Message<Fields>
  readonly handle: (call: Call, input: Input<string, Fields, Fields>) => Promise<Partly<Fields>> | Partly<Fields>
}

export const anyone = 'anyone'
export const authenticated = 'authenticated'

export function route<const A extends At, Q extends Fields = {}, B extends Fields = {}, R extends Fields = Fields>(
  definition: Definition<A, Q, B, R>,
): Route {
  const [method, path] = definition.at.split(' ') as [Method, string]
  const paged = definition.paged ?? false
  const byQuery = method === 'GET'
  const query = definition.query as Message<Fields> | undefined
  const body = definition.body as Message<Fields> | undefined
  return {
    ...definition,
    method,
    path,
    paged,
    form: definition.form ?? false,
    stream: definition.stream ?? null,
    errors: definition.errors ?? null,
    query: withPage(query ?? message('', {}), paged && byQuery),
    body: body || (paged && !byQuery) ? withPage(body ?? message('', {}), paged && !byQuery) : null,
  } as unknown as Route
}

const withPage = (of: Message<Fields>, paged: boolean): Message<Fields> =>
  paged ? message(of.name, { ...of.fields, ...pageFields }, of.description) : of

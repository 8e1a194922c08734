import { type Page, pageFields } from './pages.ts'
import type { PublishedMessage } from './published.ts'
import type { Refusal } from './refusals.ts'
import { type Fields, type Message, type MessageOf, message, type Shape } from './wire.ts'
import type { World } from './world.ts'

/**
 * Routes are data. The same table is mounted on the HTTP server, written out as the API document and as the table of
 * permissions, and used by the tests.
 */
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type At = `${Method} /${string}`

/** The `{parameters}` of a path, by name. */
export type PathOf<A extends string> = { readonly [K in ParameterIn<A>]: string }
type ParameterIn<A extends string> = A extends `${string}{${infer P}}${infer Rest}` ? P | ParameterIn<Rest> : never

/** The tenant whose host was called. `id` is the first column of every table; `publicId` is its public identifier. */
export type Tenancy = { readonly id: number; readonly publicId: string; readonly domain: string }

/** Who calls, with which credential or session, and what they may do. */
export type Actor = {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly roleIds: readonly string[]
  readonly credentialId: string
  readonly clientId: string
  /** Which access token: its `jti`. */
  readonly tokenId: string
  /** The roles that were requested for the token; absent if it has all that its credential has. */
  readonly tokenScope?: readonly string[]
  /** Which session of the console; then there is no credential and no token. */
  readonly sessionId: string
  /** Of a session: until when they may call routes with `needsFresh`. */
  readonly freshUntil?: Date
  readonly permissions: ReadonlySet<string>
  /** What they may also do with what they own: see `about` of a route, and `permitted` in rooms/roles. */
  readonly permissionsOnOwned: ReadonlySet<string>
  /** Of a caller who was admitted as an owner: `permissions` without those that this added. Absent for all others. */
  readonly permissionsEverywhere?: ReadonlySet<string>
  /**
   * What the credential itself is limited to, apart from its owner's roles: nothing created with it may be less
   * restricted.
   */
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
  sessionId: '',
  permissions: new Set(),
  permissionsOnOwned: new Set(),
  limits: { roleIds: [], sourceCidrs: [] },
}

/**
 * What the handler of a request lets its reply show, though the caller does not see it otherwise. The handler fills it
 * in, and what filters the reply reads it: `server/authority/sight`.
 */
export type Shows = {
  /** Users, by name. */
  names?: Set<string>
  /** Users, with their whole records. */
  records?: Set<string>
  /** Entitlements and their apps, as far as their holders see them: `app/id`. */
  targets?: Set<string>
  /** Ids that do not belong to users, so that they are not looked up. */
  notUsers?: Set<string>
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
  readonly shows: Shows
  /** How the caller addresses this server, as browsers write it: `https://access.example.com`. */
  readonly origin: string
  /** Adds a header to the reply; a second cookie is sent beside the first. */
  readonly sendHeader: (name: string, value: string) => void
  /** Aborted when nobody waits for the response any more: long work stops then. */
  readonly signal: AbortSignal
}

export type Input<A extends string, Q extends Fields, B extends Fields> = {
  readonly path: PathOf<A>
  readonly query: MessageOf<Q>
  readonly body: MessageOf<B>
  /** The body as it was sent: the JSON that `body` was read from. */
  readonly sent: unknown
  /** The requested page; only for routes with `paged`. */
  readonly page: Page
  /** The body as it arrives; only for routes with `stream`. */
  readonly stream: BodyStream
}

/** The input that determines which items a list has. */
export type Counted<A extends string, Q extends Fields, B extends Fields> = Pick<
  Input<A, Q, B>,
  'path' | 'query' | 'body'
>

/** A body of any length: read once, piece by piece, by its consumer. `type` is one of the route's. */
export type BodyStream = { readonly type: string; readonly source: AsyncIterable<Uint8Array> }

/** One thing that a path names: each part of its key, and the parameter that has it. */
export type About<Parameter extends string = string> = { readonly [part: string]: Parameter }

/** What the path of a route names: see `about`. */
export type AboutOf<A extends string> = About<ParameterIn<A>> | readonly About<ParameterIn<A>>[]

/** What a reply may omit: it is written as unset. */
export type Partly<F> = { readonly [K in keyof MessageOf<F>]?: MessageOf<F>[K] | undefined }

/** The form of a refusal, if it differs from the usual one; null if it does not. */
export type ErrorForm = (refusal: Refusal) => { status: number; headers: Record<string, string>; body: object } | null

export type Refusals = { readonly reply: Message<Fields>; readonly statuses: { readonly [status: number]: string } }

/** Who may call a route. For routes of the rooms, this is filled in from the table of rules: `server/authority`. */
export type Needs = {
  /** The name of the rule that defines this. */
  rule?: string
  /** The permission that a caller needs. `authenticated` needs a token or a session, `anyone` not even that. */
  allow: string
  /** The permission that owners have here, if it is more than `allow`: others may see only what belongs to them. */
  allowOwners?: string
  /** Only for owners of what contains the object: nobody deletes, or chooses the owners of, what they own themselves. */
  fromAbove?: true
  /** In the console, requires a recent sign-in: a copied cookie is not enough. */
  needsFresh?: true
}

/** All of a route except who may call it. */
export type Definition<A extends At, Q extends Fields, B extends Fields, R extends Fields, C extends Call = Call> = {
  /** The operation's name in the API document. */
  id: string
  at: A
  summary: string
  /**
   * What the route is about, if its path names it: `{ app: 'app_id', entitlement: 'id' }`. Its owners are admitted too,
   * if their roles permit that to owners; if there are several objects, those who own all of them.
   */
  about?: AboutOf<A>
  /** Only for pages of this origin: other sites' pages must not sign a browser in or out. */
  ownPages?: true
  /**
   * Without a session, or after it has ended, the response says so and no event is written: the console asks whether
   * someone is signed in.
   */
  asksWhoIsThere?: true
  /**
   * Served at once, regardless of what its network has running: it holds no transaction, clients of a whole company may
   * come from one address, and its failures are limited by separate budgets.
   */
  outsideShares?: true
  /** For everyone if the address contains a secret: refuses those who do not know it, before their body is read. */
  admits?: (world: World & { readonly tenant: Tenancy }, path: PathOf<A>) => Promise<void>
  /** The reply is a redirect (303) to its `location`. */
  redirect?: true
  /** The field of the reply that a browser opening the address gets as a page, in place of JSON. */
  pageIn?: string & keyof R
  /** A list: the page is in the query or the body, depending on the method, and `input.page` is set. */
  paged?: true
  /** The body is a form rather than JSON. */
  form?: true
  /** The field of the reply that has a secret, which exists only in that reply: it is stored nowhere. */
  secretIn?: string & keyof R
  /** The content types of a body that is not JSON and may be long: the action gets it as it arrives. */
  stream?: readonly string[]
  /** The content types of a reply that is a file, which the action returns as a `Download`. */
  download?: readonly string[]
  /** What such a file contains if it is JSON. */
  jsonFile?: Shape<unknown>
  /** It changes nothing, though it is not a GET, as the query is long: repeating it does no harm. */
  onlyReads?: true
  /**
   * It reads so much that only a few of its kind are served at once: others wait, and fast requests do not wait for
   * them.
   */
  isHeavy?: true
  errors?: ErrorForm
  /** What a refusal looks like in the API document, by status, if it differs from the usual one. */
  refusals?: Refusals
  query?: Message<Q>
  body?: Message<B>
  /** Names that clients take from a sister operation, and what to send instead: ignoring them would do harm. */
  notHere?: { readonly [field: string]: string }
  reply: Message<R>
  handle: (call: C, input: Input<A, Q, B>) => Promise<Partly<R>> | Partly<R>
  /**
   * For a list that returns its total: how many items it has, for the same caller and filters. Counting stops at
   * `limit`.
   */
  count?: (call: Call, input: Counted<A, Q, B>, limit: number) => Promise<number>
}

export type Route = {
  readonly id: string
  /** The name of the rule that says who may call it; empty if it was created without one. */
  readonly rule: string
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly allow: string
  readonly about: readonly About[]
  readonly allowOwners: string
  readonly fromAbove: boolean
  readonly ownPages: boolean
  readonly needsFresh: boolean
  readonly asksWhoIsThere: boolean
  readonly outsideShares: boolean
  readonly admits:
    | ((world: World & { readonly tenant: Tenancy }, path: Readonly<Record<string, string>>) => Promise<void>)
    | null
  readonly redirect: boolean
  readonly pageIn: string | null
  readonly paged: boolean
  readonly form: boolean
  readonly secretIn: string | null
  readonly stream: readonly string[] | null
  readonly download: readonly string[] | null
  readonly jsonFile: Shape<unknown> | null
  readonly onlyReads: boolean
  readonly isHeavy: boolean
  readonly errors: ErrorForm | null
  readonly refusals: Refusals | null
  readonly query: Message<Fields>
  readonly body: Message<Fields> | null
  readonly notHere: { readonly [field: string]: string }
  /** What the published API lets clients send, if it has this operation. */
  readonly published: { readonly body: PublishedMessage | null; readonly query: PublishedMessage } | null
  readonly reply: Message<Fields>
  readonly handle: (call: Call, input: Input<string, Fields, Fields>) => Promise<Partly<Fields>> | Partly<Fields>
  readonly count: ((call: Call, input: Counted<string, Fields, Fields>, limit: number) => Promise<number>) | null
}

export const anyone = 'anyone'
export const authenticated = 'authenticated'
/** A session of the console, and no token: for what a credential, which may be limited, must not do for its owner. */
export const signedIn = 'signed in'

export function route<const A extends At, Q extends Fields = {}, B extends Fields = {}, R extends Fields = Fields>(
  definition: Definition<A, Q, B, R> & Needs,
): Route {
  const [method, path] = definition.at.split(' ') as [Method, string]
  const paged = definition.paged ?? false
  const byQuery = method === 'GET'
  const query = definition.query as Message<Fields> | undefined
  const body = definition.body as Message<Fields> | undefined
  return {
    ...definition,
    rule: definition.rule ?? '',
    method,
    path,
    paged,
    about: [definition.about ?? []].flat(),
    allowOwners: definition.allowOwners ?? definition.allow,
    fromAbove: definition.fromAbove ?? false,
    ownPages: definition.ownPages ?? false,
    needsFresh: definition.needsFresh ?? false,
    asksWhoIsThere: definition.asksWhoIsThere ?? false,
    outsideShares: definition.outsideShares ?? false,
    admits: definition.admits ?? null,
    redirect: definition.redirect ?? false,
    pageIn: definition.pageIn ?? null,
    form: definition.form ?? false,
    secretIn: definition.secretIn ?? null,
    stream: definition.stream ?? null,
    download: definition.download ?? null,
    jsonFile: definition.jsonFile ?? null,
    onlyReads: definition.onlyReads ?? false,
    isHeavy: definition.isHeavy ?? false,
    errors: definition.errors ?? null,
    refusals: definition.refusals ?? null,
    notHere: definition.notHere ?? {},
    count: definition.count ?? null,
    published: null,
    query: withPage(query ?? message('', {}), paged && byQuery),
    body: body || (paged && !byQuery) ? withPage(body ?? message('', {}), paged && !byQuery) : null,
  } as unknown as Route
}

const withPage = (of: Message<Fields>, paged: boolean): Message<Fields> =>
  paged ? message(of.name, { ...of.fields, ...pageFields }, of.description) : of

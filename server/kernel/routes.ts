import { type Page, pageFields } from './pages.ts'
import type { PublishedMessage } from './published.ts'
import type { Refusal } from './refusals.ts'
import { type Fields, type Message, type MessageOf, message, type Shape } from './wire.ts'
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

/** Who calls, by which credential or session, and what they may do. */
export type Actor = {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly roleIds: readonly string[]
  readonly credentialId: string
  readonly clientId: string
  /** Which access token: its `jti`. */
  readonly tokenId: string
  /** The roles that the token was asked for; absent where it has all that its credential has. */
  readonly tokenScope?: readonly string[]
  /** Which session of the console; then there is no credential and no token. */
  readonly sessionId: string
  /** Of a session: until when they may do what `needsFresh`. */
  readonly freshUntil?: Date
  readonly permissions: ReadonlySet<string>
  /** What they may do with what is theirs, beyond that: see `about` of a route, and `permitted` in rooms/roles. */
  readonly permissionsOnOwned: ReadonlySet<string>
  /** Of one who was let in as an owner: `permissions` without what that added. Absent for all others. */
  readonly permissionsEverywhere?: ReadonlySet<string>
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
  sessionId: '',
  permissions: new Set(),
  permissionsOnOwned: new Set(),
  limits: { roleIds: [], sourceCidrs: [] },
}

/**
 * What the handler of a request lets its reply tell, though the caller does not see it otherwise. The handler fills it in, and
 * whatever filters the reply reads it: `server/authority/sight`.
 */
export type Shows = {
  /** Users, by name. */
  names?: Set<string>
  /** Users, with all that there is in their records. */
  records?: Set<string>
  /** Entitlements and their apps, as those see them who hold something there: `app/id`. */
  targets?: Set<string>
  /** Ids of something else than users, so that nobody has to look. */
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
  /** Puts a header on the reply; a second cookie goes beside the first. */
  readonly sendHeader: (name: string, value: string) => void
  /** Aborted when nobody waits for the answer any more: what takes long stops then. */
  readonly signal: AbortSignal
}

export type Input<A extends string, Q extends Fields, B extends Fields> = {
  readonly path: PathOf<A>
  readonly query: MessageOf<Q>
  readonly body: MessageOf<B>
  /** The body as it was sent: JSON that `body` was read from. */
  readonly sent: unknown
  /** The page asked for; only for routes with `paged`. */
  readonly page: Page
  /** The body as it comes in; only for routes with `stream`. */
  readonly stream: BodyStream
}

/** What says which items a list has. */
export type Counted<A extends string, Q extends Fields, B extends Fields> = Pick<
  Input<A, Q, B>,
  'path' | 'query' | 'body'
>

/** A body of any length: read once, piece by piece, by whoever takes it. `type` is one of the route's. */
export type BodyStream = { readonly type: string; readonly source: AsyncIterable<Uint8Array> }

/** One thing that a path names: each part of its key, and the parameter that holds it. */
export type About<Parameter extends string = string> = { readonly [part: string]: Parameter }

/** What the path of a route names: see `about`. */
export type AboutOf<A extends string> = About<ParameterIn<A>> | readonly About<ParameterIn<A>>[]

/** What a reply may leave out: it is written as unset. */
export type Partly<F> = { readonly [K in keyof MessageOf<F>]?: MessageOf<F>[K] | undefined }

/** How a refusal leaves, where it is not as everywhere else; null where it is. */
export type ErrorForm = (refusal: Refusal) => { status: number; headers: Record<string, string>; body: object } | null

export type Refusals = { readonly reply: Message<Fields>; readonly statuses: { readonly [status: number]: string } }

/** Who may call a route. Those of the rooms are filled in from the table of rules: `server/authority`. */
export type Needs = {
  /** The name of the rule that says so. */
  rule?: string
  /** The permission that a caller needs. `authenticated` needs a token or a session, `anyone` not even that. */
  allow: string
  /** The permission that owners have here, where it is more than `allow`: others may see only what is their own. */
  allowOwners?: string
  /** Only for owners of what the thing lies in: nobody deletes, or chooses the owners of, what they own themselves. */
  fromAbove?: true
  /** Of someone in the console it needs a sign-in that is not long past: a copied cookie does not do. */
  needsFresh?: true
}

/** All of a route but who may call it. */
export type Definition<A extends At, Q extends Fields, B extends Fields, R extends Fields, C extends Call = Call> = {
  /** The operation's name in the API document. */
  id: string
  at: A
  summary: string
  /**
   * What the route is about, where its path names it: `{ app: 'app_id', entitlement: 'id' }`. Whoever owns it is let in
   * too, if their roles permit that to owners; of several things, whoever owns all.
   */
  about?: AboutOf<A>
  /** Only for pages of this very origin: other sites' pages must not sign a browser in, nor out. */
  ownPages?: true
  /** A stranger, or someone whose session has ended, is told so and no event is written: the console asks whether someone is there. */
  asksWhoIsThere?: true
  /**
   * Served at once, whatever its network has under way: it holds no transaction, clients of a whole company may come from one
   * address, and its failures are slowed by budgets of their own.
   */
  outsideShares?: true
  /** For anyone whose address holds a secret: refuses those who do not know it, before their body is read. */
  admits?: (world: World & { readonly tenant: Tenancy }, path: PathOf<A>) => Promise<void>
  /** The reply is a redirect (303) to its `location`. */
  redirect?: true
  /** The field of the reply that a browser which goes to the address is shown as a page, in place of JSON. */
  pageIn?: string & keyof R
  /** A list: pages come in by query or body, as the method says, and `input.page` is there. */
  paged?: true
  /** The body is a form rather than JSON. */
  form?: true
  /** The field of the reply that holds a secret, which exists in that reply only: it is kept nowhere. */
  secretIn?: string & keyof R
  /** The body is not JSON, and may be long: it is given to the action as it comes in. The content types it may have. */
  stream?: readonly string[]
  /** The reply is a file, which the action answers as a `Download`. The content types it may have. */
  download?: readonly string[]
  /** What such a file holds where it is JSON. */
  jsonFile?: Shape<unknown>
  /** It changes nothing, though it is no GET, since what is asked for is long: there is nothing to do only once. */
  onlyReads?: true
  /** It reads so much that only a few of its kind are served at once: others wait, and all that is quick does not wait for them. */
  isHeavy?: true
  errors?: ErrorForm
  /** What a refusal looks like in the API document, by status, where it is not as everywhere else. */
  refusals?: Refusals
  query?: Message<Q>
  body?: Message<B>
  /** Names that clients take from a sister operation, and what to send instead: ignored, they would do harm. */
  notHere?: { readonly [field: string]: string }
  reply: Message<R>
  handle: (call: C, input: Input<A, Q, B>) => Promise<Partly<R>> | Partly<R>
  /** Of a list that tells its total: how many items it has, for the same caller and filters. Counting stops at `limit`. */
  count?: (call: Call, input: Counted<A, Q, B>, limit: number) => Promise<number>
}

export type Route = {
  readonly id: string
  /** The name of the rule that says who may call it; empty where it was made without one. */
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
  /** What the published API lets clients send, where it has this operation. */
  readonly published: { readonly body: PublishedMessage | null; readonly query: PublishedMessage } | null
  readonly reply: Message<Fields>
  readonly handle: (call: Call, input: Input<string, Fields, Fields>) => Promise<Partly<Fields>> | Partly<Fields>
  readonly count: ((call: Call, input: Counted<string, Fields, Fields>, limit: number) => Promise<number>) | null
}

export const anyone = 'anyone'
export const authenticated = 'authenticated'
/** A session of the console, and no token: what a credential, which may be limited, must not do for its owner. */
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

import type { Refusal } from './refusals.ts'
import type { Actor, Call, ErrorForm, Tenancy } from './routes.ts'
import type { World } from './world.ts'

/**
 * A door: another protocol under one prefix of the addresses, with callers, media types, statuses and errors of its own. What
 * is common to all requests holds there too: tenants by host, limits, shares, logs and metrics.
 */
export type Door = {
  /** What it is called in events and logs. */
  readonly id: string
  /** Everything below it is the door's: `/scim/v2`. */
  readonly prefix: `/${string}`
  /** The media types that its bodies may have, all of them JSON; the first is that of its replies. */
  readonly types: readonly [string, ...string[]]
  /** Who calls; refuses everyone else. Cookies are not asked about. */
  authenticate(world: World, knock: Knock): Actor | Promise<Actor>
  answer(call: Call, request: DoorRequest): Promise<DoorReply>
  readonly errors: ErrorForm
  /** Told of every refusal of a caller who was let in. */
  onRefused(world: World, tenant: Tenancy, actor: Actor, refusal: Refusal): void
}

/** Someone at the door, before it is known who. `path` is what follows the prefix. */
export type Knock = {
  readonly tenant: Tenancy
  readonly path: string
  readonly authorization: string | undefined
  readonly sourceAddress: string
}

export type DoorRequest = {
  readonly method: string
  /** The decoded segments of the path that follow the prefix. */
  readonly path: readonly string[]
  readonly query: { readonly [name: string]: unknown }
  /** JSON; null where there is no body. */
  readonly body: unknown
}

export type DoorReply = {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly body: { readonly [name: string]: unknown } | null
}

import type { Refusal } from './refusals.ts'
import type { Actor, Call, ErrorForm, Tenancy } from './routes.ts'
import type { World } from './world.ts'

/**
 * A door: another protocol under one prefix of the addresses, with its own callers, media types, statuses and errors.
 * What is common to all requests applies there too: tenants by host, limits, shares, logs and metrics.
 */
export type Door = {
  /** Its name in events and logs. */
  readonly id: string
  /** Everything below it belongs to the door: `/scim/v2`. */
  readonly prefix: `/${string}`
  /** The media types that its bodies may have, all of them JSON; the first is that of its replies. */
  readonly types: readonly [string, ...string[]]
  /** The caller; refuses everyone else. Cookies are not read. */
  authenticate(world: World, knock: Knock): Actor | Promise<Actor>
  answer(call: Call, request: DoorRequest): Promise<DoorReply>
  readonly errors: ErrorForm
  /** Called for every refusal of a caller who was admitted. */
  onRefused(world: World, tenant: Tenancy, actor: Actor, refusal: Refusal): void
}

/** A request at the door, before its caller is known. `path` is what follows the prefix. */
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
  /** JSON; null if there is no body. */
  readonly body: unknown
}

export type DoorReply = {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly body: { readonly [name: string]: unknown } | null
}

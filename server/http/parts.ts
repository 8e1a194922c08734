import type { Logger } from 'pino'
import type { Door } from '#kernel/doors.ts'
import type { Refusal } from '#kernel/refusals.ts'
import type { Actor, Route, Tenancy } from '#kernel/routes.ts'
import type { RpcService } from '#kernel/rpc.ts'
import type { World } from '#kernel/world.ts'
import type { Asked } from './asked.ts'
import type { HttpLimits } from './guards/limits.ts'
import type { DatabasePresence } from './guards/present.ts'
import type { Metrics } from './metrics.ts'
import type { Sieve } from './mount.ts'
import type { ConsoleDoor } from './pages/console.ts'

export type ServerParts = {
  world: World
  log: Logger
  routes: readonly Route[]
  /** Services that are called by gRPC. */
  services?: readonly RpcService[]
  /** Other protocols, each under its own prefix. */
  doors?: readonly Door[]
  /** The tenant of a host, or null. */
  tenantOf(host: string): Promise<Tenancy | null> | Tenancy | null
  /** The caller that an Authorization header, or else a cookie, belongs to; refuses if it is not valid. */
  authenticate(asked: Asked): Promise<Actor> | Actor
  /**
   * On what grounds a route admits a caller, by their permissions: as they are, or if they own what the request is
   * about.
   */
  standingTo(actor: Actor, route: Route): { asCaller: boolean; asOwner: boolean }
  /** A caller with what they may also do as the owner of what a request is about; else why they are refused. */
  asOwner(tenant: Tenancy, actor: Actor, route: Route, path: Record<string, string>): Promise<Actor | Refusal>
  /** Reduces a reply to what its caller may know. */
  sieve: Sieve
  /** Called for every request that is denied, before the response is sent. */
  onDenied(asked: Asked, actor: Actor, refusal: Refusal): Promise<void>
  presence: DatabasePresence
  /** Why the clock is in doubt, if it is: shown by `/readyz`. */
  clock: { readonly doubt: string | null; look(): Promise<void> }
  /** Whether the start is over: shown by `/readyz`. */
  readiness: { readonly isReady: boolean }
  metrics: Metrics
  /** Called when a request to a tenant begins, and when it has ended. */
  onUsed?(): void
  trustedProxies: readonly string[]
  /** Which requests are logged; metrics count all of them. */
  logRequests: 'all' | 'failed' | 'none'
  /** The web console; without it, its addresses are unknown ones. */
  console?: ConsoleDoor
  tls: { cert: string | Buffer; key: string | Buffer } | null
  limits?: Partial<HttpLimits>
}

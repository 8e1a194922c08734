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
  /** Services that are spoken to by gRPC. */
  services?: readonly RpcService[]
  /** Other protocols, each under its own prefix. */
  doors?: readonly Door[]
  /** The tenant of a host, or null. */
  tenantOf(host: string): Promise<Tenancy | null> | Tenancy | null
  /** Who an Authorization header, or else a cookie, speaks for; refuses what does not. */
  authenticate(asked: Asked): Promise<Actor> | Actor
  /** How a caller stands to a route by their permissions: let in as they are, or if what it is about is theirs. */
  standingTo(actor: Actor, route: Route): { asCaller: boolean; asOwner: boolean }
  /** A caller with what they may do besides, as the owner of what a request is about; else why they are refused. */
  asOwner(tenant: Tenancy, actor: Actor, route: Route, path: Record<string, string>): Promise<Actor | Refusal>
  /** What of a reply its caller may know. */
  sieve: Sieve
  /** Told of every request that is denied, before it is answered. */
  onDenied(asked: Asked, actor: Actor, refusal: Refusal): Promise<void>
  presence: DatabasePresence
  /** Why the clock is not believed, if it is not: told by `/readyz`. */
  clock: { readonly doubt: string | null; look(): Promise<void> }
  /** Whether the start is over: told by `/readyz`. */
  readiness: { readonly isReady: boolean }
  metrics: Metrics
  /** Called when a request to a tenant begins, and when it has ended. */
  onUsed?(): void
  trustedProxies: readonly string[]
  /** Which requests are logged; metrics count all of them. */
  logRequests: 'all' | 'failed' | 'none'
  /** The web console; where there is none, its addresses are unknown ones. */
  console?: ConsoleDoor
  tls: { cert: string | Buffer; key: string | Buffer } | null
  limits?: Partial<HttpLimits>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered on any host, and also while the database is away. */
    ofNoTenant?: boolean
    route?: Route
    /** Media types of bodies that are passed on unread. */
    passesOn?: readonly string[]
  }
  interface FastifyRequest {
    tenant: Tenancy | null
    actor: Actor
    sourceAddress: string
    sendHeader: (name: string, value: string) => void
  }
}

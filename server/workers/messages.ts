import type { Forgotten } from '#kernel/world.ts'
import type { Config } from '#server/settings/config.ts'

/** What a worker needs to know to begin. */
export type Orders = {
  config: Config
  /** How many workers share the machine. */
  workers: number
  tls: { cert: string; key: string } | null
  /** The primary's embedded PostgreSQL; null where the database has a URL. */
  socket: { path: string; host: string; user: string; database: string } | null
  /** The name under which this worker holds leases. The primary ends them when the worker has died. */
  leaseOwner: string
  /** Whether the start is complete; otherwise `ready` follows. */
  isReady: boolean
}

export type ChainEnds = (readonly [tenantId: number, end: { sealNumber: number; mac: Uint8Array }])[]

export type ToWorker =
  | { do: 'open'; orders: Orders }
  | { do: 'serve'; number: number }
  | { do: 'prepare console' }
  /** What the first start makes is there. */
  | { do: 'ready' }
  | { do: 'report' }
  /** Where the chains of system-log events end, by tenant. */
  | { do: 'learn'; ends: ChainEnds }
  /** Another worker has changed something that this one may remember. */
  | { do: 'forget'; forgotten: Forgotten }
  | { do: 'stop' }

/** What `registry.getMetricsAsJSON()` answers. */
export type MetricsJson = { name: string; type: unknown; values: unknown[] }[]

export type FromWorker =
  /** Everything but the port is open. */
  | { is: 'open' }
  | { is: 'serving' }
  | { is: 'failed'; message: string; isUsage: boolean }
  /** It accepts no more connections, and ends when it has finished what is under way. */
  | { is: 'leaving' }
  | { is: 'report'; metrics: MetricsJson }
  | { is: 'forget'; forgotten: Forgotten }

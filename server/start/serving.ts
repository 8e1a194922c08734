import type { Database } from '#database/open.ts'
import type { HttpLimits } from '#http/guards/limits.ts'
import type { JobKind } from '#kernel/jobs.ts'
import type { Route } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import { domainServedAt, listTenants, type Tenant } from '#rooms/foundation/tenants/index.ts'
import { findOwnerEmail } from '#rooms/identity/users/index.ts'
import type { Clock } from '#server/engine/clock.ts'
import type { JobLimits } from '#server/engine/jobs/runner.ts'
import type { Config } from '#server/settings/config.ts'
import type { Beginning } from './begin.ts'
import type { Founded, Progress } from './first-tenant.ts'

export type Serving = {
  url: string
  tenants: Tenant[]
  /** The email address of a Super Administrator of the first tenant. */
  owner: string | null
  /** What the first start made. */
  founded: Founded | null
  postgresHome: string | null
  metricsUrl: string | null
  newCertificate: string | null
  /** Handles errors that nobody handled; `giveUp` has to end the process in order. Answers how to stop that. */
  guard(giveUp: () => void): () => void
  /** Has the console ready before someone asks for it. */
  prepareConsole(): Promise<void>
  /** Ends it all: what is under way has `stopGraceMs` to finish. */
  stop(): Promise<void>
}

export type ServeOptions = {
  /** What is there already, of a start that has begun. */
  begun?: Promise<Beginning>
  /** The console is there when the server is ready, if it is built; otherwise it is built meanwhile. */
  showsConsole?: boolean
  /** Settled when the process is asked to stop, also during the start. */
  asked?: Promise<void>
  /** How far the demo company is loaded. */
  onProgress?: Progress
  /** What tests may have in place of the usual. */
  routes?: readonly Route[]
  limits?: Partial<HttpLimits>
  clock?: Clock
  jobKinds?: readonly JobKind[]
  jobLimits?: Partial<JobLimits>
}

/** What a server reports when it is ready. */
export async function describe(config: Config, world: World, database: Database, port: number) {
  const tenants = await listTenants(world.db)
  return {
    url: `${config.tlsSelfSigned || config.tlsCert ? 'https' : 'http'}://${domainServedAt(config.host, port, false)}`,
    tenants,
    owner: tenants[0] ? await findOwnerEmail(world.db, tenants[0].id) : null,
    postgresHome: database.embedded?.home ?? null,
  }
}

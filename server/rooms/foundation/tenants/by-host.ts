import { remember } from '#kernel/remember.ts'
import type { Reads } from '#kernel/sql.ts'
import { findTenantByHost, type Tenant } from './store.ts'

// A tenant created through another server is served here within this time; unknown hosts cause at most one query in it.
const ageMs = 1000

/** Finds tenants by host, and remembers them (and hosts that have none) for a second. */
export function tenantsByHost(db: Reads, now: () => number): (host: string) => Promise<Tenant | null> | Tenant | null {
  const { get } = remember(now, ageMs, (host) => findTenantByHost(db, host))
  return (host) => get(host)
}

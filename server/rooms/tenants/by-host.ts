import type { Reads } from '#kernel/sql.ts'
import { findTenantByHost, type Tenant } from './store.ts'

// A tenant made through another server is served here within this time; an unknown host asks at most this often.
const rememberMs = 1000
const hostsMax = 10_000

/** Finds tenants by host, and remembers them (and hosts that have none) for a second. */
export function tenantsByHost(db: Reads, now: () => number): (host: string) => Promise<Tenant | null> | Tenant | null {
  const known = new Map<string, { tenant: Tenant | null; until: number }>()
  return (host) => {
    const remembered = known.get(host)
    if (remembered && remembered.until > now()) return remembered.tenant
    return findTenantByHost(db, host).then((tenant) => {
      if (known.size >= hostsMax) known.clear()
      known.set(host, { tenant, until: now() + rememberMs })
      return tenant
    })
  }
}

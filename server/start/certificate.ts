import { keepCertificate } from '#http/certificate.ts'
import { canonicalHost } from '#kernel/hosts.ts'
import type { World } from '#kernel/world.ts'
import { listTenants } from '#rooms/foundation/tenants/index.ts'
import type { Config } from '#server/settings/config.ts'
import { firstDomain } from './first-tenant.ts'

/** For the hosts of all tenants, and of the one that the first start will make. */
export async function certificateFor(config: Config, world: World) {
  const domains = [firstDomain(config), ...(await listTenants(world.db)).map((tenant) => tenant.domain)]
  const hosts = domains.map((domain) => canonicalHost(domain).replace(/^\[|\]$/g, ''))
  return keepCertificate(config.dataDir, [...new Set(['localhost', '127.0.0.1', '::1', ...hosts])], world.now())
}

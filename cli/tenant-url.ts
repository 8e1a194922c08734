import { canonicalHost } from '#kernel/hosts.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { addressOf, domainsOfTenant } from '#rooms/foundation/tenants/index.ts'
import { type FlagValues, UsageError } from '#server/settings/config.ts'

type Addressed = Pick<Tenancy, 'domain' | 'origin' | 'otherDomains'>

/** The value of `--url`, or the current address of the tenant. */
export function tenantUrl(tenant: Addressed, flags: FlagValues): string {
  const given = flags['url'] as string | undefined
  if (given === undefined) return addressOf(tenant)
  const url = URL.parse(given)
  const hosts = domainsOfTenant(tenant).map(canonicalHost)
  if (!url || !['http:', 'https:'].includes(url.protocol) || !hosts.includes(canonicalHost(url.host)))
    throw new UsageError(`--url must be a URL of ${tenant.domain}, such as ${addressOf(tenant)}`)
  return url.origin
}

/** After the #, which browsers keep to themselves: no server and no proxy writes the token down. */
export const signInUrl = (url: string, token: string): string => `${url}/sign-in#${token}`

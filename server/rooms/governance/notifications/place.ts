import { canonicalHost } from '#kernel/hosts.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { Place } from './templates/notice.ts'

/** Where browsers reach a tenant that is served as its domain says. */
export const placeOf = ({ domain }: Pick<Tenancy, 'domain'>): Place => ({
  origin: `${canonicalHost(domain) === 'localhost' ? 'http' : 'https'}://${domain}`,
  organisation: domain,
})

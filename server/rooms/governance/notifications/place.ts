import { canonicalHost } from '#kernel/hosts.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { Place } from './templates/notice.ts'

/** The address of a tenant in browsers, by its domain. */
export const placeOf = ({ domain }: Pick<Tenancy, 'domain'>): Place => ({
  origin: `${canonicalHost(domain) === 'localhost' ? 'http' : 'https'}://${domain}`,
  organisation: domain,
})

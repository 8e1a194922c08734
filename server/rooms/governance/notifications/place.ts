import type { Tenancy } from '#kernel/routes.ts'
import { addressOf } from '#rooms/foundation/tenants/index.ts'
import type { Place } from './templates/notice.ts'

/** The address of a tenant in browsers, by its domain. */
export const placeOf = (tenant: Pick<Tenancy, 'domain' | 'origin'>): Place => ({
  origin: addressOf(tenant),
  organisation: tenant.domain,
})

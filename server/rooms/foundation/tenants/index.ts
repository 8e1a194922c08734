export { tenantsByHost } from './by-host.ts'
export { domainOf, domainServedAt } from './decide.ts'
export { rotateSigningKey, type SigningKey, signingKeys } from './keys.ts'
export { findTenant, findTenantByHost, insertTenant, listTenants, type Tenant } from './store.ts'

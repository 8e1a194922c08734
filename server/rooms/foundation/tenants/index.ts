export { tenantsByHost } from './by-host.ts'
export { addressOf, audiencesOf, domainOf, domainServedAt, domainsOfTenant, usualAddress } from './decide.ts'
export {
  deleteCertificate,
  findStoredCertificate,
  listCertificates,
  listCertificateTimes,
  putCertificate,
} from './hosts/certificates.ts'
export type { NewHost, TenantHost } from './hosts/host.ts'
export {
  claimHost,
  deleteHost,
  findNextHostEnd,
  forgetEndedHosts,
  isNameOfOther,
  listDueHosts,
  listHosts,
  lockHost,
  noteSignedIn,
  putCheck,
  takeCheck,
  updateHost,
} from './hosts/store.ts'
export { rotateSigningKey, type SigningKey, signingKeys } from './keys.ts'
export {
  findTenant,
  findTenantByHost,
  insertTenant,
  listTenants,
  lockTenant,
  type Tenant,
  updateName,
} from './store.ts'

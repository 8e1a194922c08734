export { approveCredential, createCredential, dropCredential, forgetCredentials } from './actions.ts'
export { changeTrustCredential } from './change.ts'
export { deviceLifespanSeconds, familyOf, isWithin, lifespans, namedLength, principalLifespan } from './decide.ts'
export { type Found, forgetUser, type Identity, identities, listKeysOf } from './identities.ts'
export { credentialKind, isProgram } from './kinds.ts'
export { lastUsed } from './last-used.ts'
export { narrow } from './narrow.ts'
export { getPrincipalCredential, lockPrincipalCredential, renameCredential } from './principal-credentials.ts'
export { credentialRoutes } from './routes.ts'
export { makeSecret, secretHash } from './secret.ts'
export { deleteExpiredRevocations, insertRevokedToken } from './store/revoked.ts'
export { sealExistingCredentials } from './store/sealing.ts'
export { findTrust } from './store/trusts.ts'
export {
  type Credential,
  type KeptCredential,
  listCredentialsOf,
  lockCredential,
  lockCredentialsOf,
  searchCredentials,
} from './store.ts'
export { providerMac, type TrustProvider, type TrustTerms, trustMac } from './trust-proof.ts'
export type { ProvenTrust } from './trusts.ts'
export { credentialWords } from './words.ts'

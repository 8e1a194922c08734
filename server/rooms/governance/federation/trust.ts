import type { Credential, TrustTerms } from '#rooms/identity/credentials/index.ts'

/** A trust: what it has in common with credentials, and its own terms. */
export type Trust = {
  credential: Pick<
    Credential,
    'id' | 'userId' | 'clientId' | 'displayName' | 'allowSourceCidr' | 'scopedRoles' | 'ancestorIds' | 'createdAt'
  >
  terms: TrustTerms
}

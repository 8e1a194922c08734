import type { Credential, TrustTerms } from '#rooms/identity/credentials/index.ts'

/** A trust: the fields that it shares with other credentials, and its own. */
export type Trust = {
  credential: Pick<
    Credential,
    'id' | 'userId' | 'clientId' | 'displayName' | 'allowSourceCidr' | 'scopedRoles' | 'ancestorIds' | 'createdAt'
  >
  terms: TrustTerms
}

import type { Seals } from '#kernel/seals.ts'

/**
 * A trust is a credential without a secret: tokens of another issuer prove who uses it. What it is for is decided in
 * the room for federation, which imports this one. Whether it is accepted is decided here, for every request.
 */
export type TrustProvider = {
  id: string
  displayName: string
  description: string
  wellKnown: string
  issuerUrl: string
  bundleEndpointUrl: string
  isDisabled: boolean
  createdAt: Date
  updatedAt: Date
}
export type TrustTerms = {
  credentialId: string
  principalId: string
  providerId: string
  description: string
  condition: string
  passthroughClaims: readonly string[]
  isDisabled: boolean
  updatedAt: Date
}

/** Everything that decides which keys are trusted. */
export const providerMac = (seals: Seals, tenantId: number, of: TrustProvider): Buffer =>
  seals.mac(
    'federation provider',
    String(tenantId),
    of.id,
    of.wellKnown,
    of.issuerUrl,
    of.bundleEndpointUrl,
    JSON.stringify([of.isDisabled, of.createdAt.getTime()]),
  )

/** Everything that decides which tokens are accepted, and for whom. */
export const trustMac = (seals: Seals, tenantId: number, of: TrustTerms): Buffer =>
  seals.mac(
    'federation trust',
    String(tenantId),
    of.credentialId,
    of.principalId,
    of.providerId,
    of.condition,
    JSON.stringify([of.passthroughClaims, of.isDisabled]),
  )

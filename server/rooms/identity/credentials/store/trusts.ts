import type { Reads } from '#kernel/sql.ts'
import type { TrustProvider, TrustTerms } from '../trust-proof.ts'

type Found = { terms: TrustTerms; provider: TrustProvider; macs: { terms: Buffer; provider: Buffer } }
type Row = TrustTerms &
  Omit<TrustProvider, 'id' | 'description' | 'isDisabled' | 'updatedAt'> & {
    mac: Buffer
    providerDescription: string
    isProviderDisabled: boolean
    providerUpdatedAt: Date
    providerMac: Buffer
  }

/** A trust with its provider, proven or not. */
export async function findTrust(db: Reads, tenantId: number, credentialId: string): Promise<Found | null> {
  const [row] = await db<Row[]>`
    select t.credential_id as "credentialId", t.principal_id as "principalId", t.provider_id as "providerId",
      t.description, t.condition, t.passthrough_claims as "passthroughClaims", t.is_disabled as "isDisabled",
      t.updated_at as "updatedAt", t.mac, p.display_name as "displayName", p.description as "providerDescription",
      p.well_known as "wellKnown", p.issuer_url as "issuerUrl", p.bundle_endpoint_url as "bundleEndpointUrl",
      p.is_disabled as "isProviderDisabled", p.created_at as "createdAt", p.updated_at as "providerUpdatedAt",
      p.mac as "providerMac"
    from federation_trusts t
    join federation_providers p on p.tenant_id = ${tenantId} and p.provider_id = t.provider_id
    where t.tenant_id = ${tenantId} and t.credential_id = ${credentialId}`
  if (!row) return null
  const { credentialId: id, principalId, providerId, description, condition, passthroughClaims } = row
  const { isDisabled, updatedAt, displayName, wellKnown, issuerUrl, bundleEndpointUrl, createdAt } = row
  return {
    terms: {
      credentialId: id,
      principalId,
      providerId,
      description,
      condition,
      passthroughClaims,
      isDisabled,
      updatedAt,
    },
    provider: {
      id: providerId,
      displayName,
      wellKnown,
      issuerUrl,
      bundleEndpointUrl,
      createdAt,
      description: row.providerDescription,
      isDisabled: row.isProviderDisabled,
      updatedAt: row.providerUpdatedAt,
    },
    macs: { terms: row.mac, provider: row.providerMac },
  }
}

import { isSameMac } from '#kernel/seals.ts'
import type { World } from '#kernel/world.ts'
import { reportForged } from '#rooms/foundation/systemlog/index.ts'
import { findTrust } from './store/trusts.ts'
import { providerMac, type TrustProvider, type TrustTerms, trustMac } from './trust-proof.ts'

/**
 * A trust and its provider, as this program wrote them; null if one of them does not exist, or was not written by this
 * program.
 */
export type ProvenTrust = { terms: TrustTerms; provider: TrustProvider }

export async function findProvenTrust(
  world: World,
  tenantId: number,
  { credentialId, principalId }: { credentialId: string; principalId: string },
): Promise<ProvenTrust | null> {
  const found = await findTrust(world.db, tenantId, credentialId)
  if (!found || found.terms.principalId !== principalId) return null
  const { terms, provider, macs } = found
  if (!isSameMac(macs.terms, trustMac(world.seals, tenantId, terms))) {
    await reportForged(world, tenantId, { type: 'federation trust', id: credentialId, userId: principalId })
    return null
  }
  if (!isSameMac(macs.provider, providerMac(world.seals, tenantId, provider))) {
    await reportForged(world, tenantId, { type: 'federation provider', id: provider.id })
    return null
  }
  return { terms, provider }
}

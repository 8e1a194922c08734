import { isSameMac, type Seals } from '#kernel/seals.ts'

/** Proof that someone was added as an owner of a service principal: an owner can act as it. */
export type OwnerProof = { ownerId: string; principalId: string; roleSlug: string; userId: string }

export const ownerMac = (seals: Seals, tenantId: number, of: OwnerProof): Buffer =>
  seals.mac('principal owner', String(tenantId), of.principalId, of.roleSlug, of.ownerId, of.userId)

export const isOwnerProven = (seals: Seals, tenantId: number, of: OwnerProof & { mac: Buffer | null }): boolean =>
  isSameMac(of.mac, ownerMac(seals, tenantId, of))

import { isSameMac, type Seals } from '#kernel/seals.ts'

/** Everything about a credential that decides whether it is accepted, and for what. */
export type ProvenCredential = {
  id: string
  userId: string
  clientId: string
  publicKey: Buffer
  secretSha256: Buffer
  allowSourceCidr: readonly string[]
  scopedRoles: readonly string[]
  ancestorIds: readonly string[]
  createdAt: Date
  expiresTime: Date | null
  deletedAt: Date | null
  requireDpop: boolean
}

const msOf = (at: Date | null): number | null => at && at.getTime()

export const credentialMac = (seals: Seals, tenantId: number, of: ProvenCredential): Buffer =>
  seals.mac(
    'credential',
    String(tenantId),
    of.id,
    of.userId,
    of.clientId,
    of.publicKey,
    of.secretSha256,
    JSON.stringify([of.allowSourceCidr, of.scopedRoles, of.ancestorIds]),
    JSON.stringify([of.createdAt, of.expiresTime, of.deletedAt].map(msOf)),
    // Only if it is set, as MACs of other credentials are older than the column.
    ...(of.requireDpop ? ['requires DPoP'] : []),
  )

/** Whether this program wrote the row as it is: the MAC cannot be computed without the secret key. */
export function isCredentialProven(
  seals: Seals,
  tenantId: number,
  credential: ProvenCredential & { mac: Buffer | null },
): boolean {
  const right = credentialMac(seals, tenantId, credential)
  const carried = credential.mac
  return isSameMac(carried, right)
}

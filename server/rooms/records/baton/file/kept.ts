import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { type DecodedGrant, decodeGrant } from './decode.ts'
import type { KeptGrant } from './records.ts'

const grantId = 3
const grantAnnotations = 4

/**
 * What is kept of a grant; null if nothing has to be. `ownId` is null if it is the one that the connectors' library
 * generates.
 */
export function keptOf(
  { sources, annotations, isImmutable, hasMetadata }: DecodedGrant,
  { entitlementId, ownId }: { entitlementId: string; ownId: string | null },
): KeptGrant | null {
  // A grant that is held only through others cannot be revoked separately, regardless of what its connector says about it.
  const isFixed = isImmutable && (sources.length === 0 || sources.includes(entitlementId))
  if (ownId === null && !hasMetadata && !isFixed) return null
  const grant = new BinaryWriter()
  if (ownId !== null) grant.tag(grantId, WireType.LengthDelimited).string(ownId)
  for (const each of annotations) grant.tag(grantAnnotations, WireType.LengthDelimited).bytes(each)
  return { isFixed, data: grant.finish() }
}

/** The id that the connectors' own library gives to a grant. */
export const usualGrantId = (
  entitlementId: string,
  { resourceType, resource }: { resourceType: string; resource: string },
): string => `${entitlementId}:${resourceType}:${resource}`

/** What is kept of a grant that a connector reports, including its id. */
export const keptOfMessage = (
  data: Uint8Array,
  of: { entitlementId: string; ownId: string | null },
): KeptGrant | null => keptOf(decodeGrant(data), of)

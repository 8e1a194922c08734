import type { World } from '#kernel/world.ts'
import type { ScimAccess, ScimConnection } from '../scim-connection/connection.ts'

const purpose = 'scim token'
/** Sealed for one connector and address: a different address written into the row does not get the token sent there. */
const contextOf = ({ connectorId, baseUrl }: Pick<ScimConnection, 'connectorId' | 'baseUrl'>): string =>
  JSON.stringify([connectorId, baseUrl])

export const sealToken = (
  { seals }: Pick<World, 'seals'>,
  tenantId: number,
  of: Pick<ScimConnection, 'connectorId' | 'baseUrl'>,
  token: string,
): Buffer => seals.seal(purpose, String(tenantId), Buffer.from(token), contextOf(of))

/** The app's address and token; null if the row is not as this server wrote it. */
export function openAccess(
  { seals }: Pick<World, 'seals'>,
  tenantId: number,
  connection: ScimConnection,
): ScimAccess | null {
  const plain = seals.open(purpose, String(tenantId), connection.sealedToken, contextOf(connection))
  return plain && { baseUrl: connection.baseUrl, token: plain.toString() }
}

export const unreadableToken =
  'The token of this connector cannot be read: it was stored for another URL, or with another secret key. Set the token again.'

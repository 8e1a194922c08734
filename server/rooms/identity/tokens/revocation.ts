import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { causeOf, change, record } from '#rooms/foundation/systemlog/index.ts'
import { credentialKind, type Identity, identities, insertRevokedToken } from '#rooms/identity/credentials/index.ts'
import { type Claims, readToken } from './access-token.ts'
import { findClientOf } from './devices/store.ts'
import { authenticateClient, badRequest, type ClientForm, refuseCredentialsInHeader } from './token-endpoint.ts'

/** The form of all client ids that have a row here: see createCredential. */
const isOurClientId = (clientId: string): boolean => /^[0-9a-f]{20}@.+\/[a-z]+$/.test(clientId)

export type RevocationForm = ClientForm & { readonly token: string }

/**
 * The revocation endpoint, RFC 7009. A client revokes its own access tokens. The response for one that is unknown,
 * expired or already revoked is the same (section 2.2): in any case it is no longer valid.
 */
export async function revokeToken(call: Call, form: RevocationForm): Promise<void> {
  const identity = isPublic(form) ? await deviceOf(call, form) : (await authenticateClient(call, form)).identity
  if (form.token === '') throw badRequest('token is missing.')
  const claims = await claimsIn(call, form.token)
  if (!claims || !identity) return
  // Section 2.1: the token must have been issued to the calling client.
  if (claims.clientId !== identity.clientId)
    throw new Refusal('TOKEN_OF_ANOTHER_CLIENT', 'The access token was issued to another client.')
  await revoke(call, identity, claims)
  call.memory(identities).forget(call.tenant.id, identity.clientId)
}

/**
 * A device has no secret: its token proves it, together with the client id that it was authorized with (section 2.1),
 * or that of the token. Client ids with a secret are created by this server, and end with their kind.
 */
const isPublic = ({ client_id, client_secret, client_assertion }: RevocationForm): boolean =>
  client_secret === '' &&
  client_assertion === '' &&
  client_id !== '' &&
  (!isOurClientId(client_id) || credentialKind(client_id) === 'device')

/** Null if there is nothing to revoke. */
async function deviceOf(call: Call, form: RevocationForm): Promise<Identity | null> {
  refuseCredentialsInHeader(call)
  const claims = await claimsIn(call, form.token)
  if (!claims) return null
  const isDevice = credentialKind(claims.clientId) === 'device'
  const identity = isDevice ? await call.memory(identities).find(call.tenant.id, claims.clientId) : null
  if (isDevice && !identity) return null
  const names = identity ? [identity.clientId, await findClientOf(call.db, call.tenant.id, identity.credentialId)] : []
  if (!names.includes(form.client_id))
    throw new Refusal('TOKEN_OF_ANOTHER_CLIENT', 'The access token was issued to another client.')
  return identity
}

async function claimsIn(call: Call, token: string): Promise<Claims | null> {
  try {
    return await readToken(call, call.tenant, token)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

async function revoke(call: Call, { credentialId, clientId, user }: Identity, claims: Claims): Promise<void> {
  const { tokenId, expiresMs } = claims
  const cause = {
    ...causeOf(call),
    actor: { userId: user.id, name: user.name, email: user.email, credentialId, tokenId },
  }
  await transact(call.db, async (tx) => {
    const revoked = { credentialId, tokenId, expiresAt: new Date(expiresMs) }
    const outcome = await insertRevokedToken(tx, call.tenant.id, revoked, call.now())
    if (outcome === 'full')
      throw new Refusal('TOO_MANY_FAILURES', 'Too many access tokens of this client are revoked; delete the client.', {
        retryAfterSeconds: call.settings.tokenLifetimeSeconds,
      })
    if (outcome !== 'revoked') return
    const touched = { type: 'access token', id: tokenId, data: { clientId } }
    await record(tx, call, call, change(cause, 'delete', `Revoked an access token of ${clientId}`, [touched]))
  })
}

import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { causeOf, change, record } from '#rooms/foundation/systemlog/index.ts'
import { type Identity, identities, insertRevokedToken } from '#rooms/identity/credentials/index.ts'
import { type Claims, readToken } from './access-token.ts'
import { authenticateClient, badRequest, type ClientForm } from './token-endpoint.ts'

export type RevocationForm = ClientForm & { readonly token: string }

/**
 * The revocation endpoint, RFC 7009. A client revokes its own access tokens. One that is unknown, expired or revoked
 * already is answered as one that was revoked (section 2.2): either way it is worth nothing from now on.
 */
export async function revokeToken(call: Call, form: RevocationForm): Promise<void> {
  const { identity } = await authenticateClient(call, form)
  if (form.token === '') throw badRequest('token is missing.')
  const claims = await claimsIn(call, form.token)
  if (!claims) return
  // Section 2.1: the token must have been issued to the client that asks.
  if (claims.clientId !== identity.clientId)
    throw new Refusal('TOKEN_OF_ANOTHER_CLIENT', 'The access token was issued to another client.')
  await revoke(call, identity, claims)
  call.memory(identities).forget(call.tenant.id, identity.clientId)
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

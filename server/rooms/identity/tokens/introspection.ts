import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { identities, narrow } from '#rooms/identity/credentials/index.ts'
import { type Claims, readToken } from './access-token.ts'
import { isHonoured } from './authenticate.ts'
import { isConnectorClient, requireConnectorClient } from './connector-clients.ts'
import { authenticateClient, badRequest, type ClientForm } from './token-endpoint.ts'

export type IntrospectionForm = ClientForm & { readonly token: string }

/**
 * Token introspection, RFC 7662, for services that receive our tokens. Any client may call it: whoever has a token can
 * read its content. It adds whether the token is accepted now. For one that is not, nothing else is returned (section
 * 2.2).
 */
export async function introspectToken(call: Call, form: IntrospectionForm) {
  await authenticateClient(call, form)
  if (form.token === '') throw badRequest('token is missing.')
  try {
    return await describeToken(call, await readToken(call, call.tenant, form.token))
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return { active: false }
    throw error
  }
}

async function describeToken(call: Call, claims: Claims) {
  const holder = isConnectorClient(claims.clientId) ? await ofConnector(call, claims) : await ofUser(call, claims)
  if (!holder) return { active: false }
  const { tenant } = call
  return {
    active: true,
    ...holder,
    client_id: claims.clientId,
    token_type: claims.jkt === null ? 'Bearer' : 'DPoP',
    exp: seconds(claims.expiresMs),
    iat: seconds(claims.notBeforeMs),
    nbf: seconds(claims.notBeforeMs),
    aud: tenant.domain,
    iss: `https://${tenant.domain}`,
    jti: claims.tokenId,
    ...(claims.jkt !== null && { cnf: { jkt: claims.jkt } }),
  }
}

const seconds = (ms: number): number => Math.floor(ms / 1000)

async function ofConnector(call: Call, { clientId }: Claims) {
  const { connectorId } = await requireConnectorClient(call, call.tenant.id, clientId)
  return { sub: connectorId }
}

async function ofUser(call: Call, claims: Claims) {
  const found = await call.memory(identities).find(call.tenant.id, claims.clientId)
  if (!found || !isHonoured(found, claims, call.now())) return null
  const { user, roleIds } = claims.scope ? await narrow(call, call.tenant.id, found, claims.scope) : found
  return { sub: user.id, username: user.email, scope: roleIds.join(' ') }
}

import { Refusal } from '#kernel/refusals.ts'
import type { Actor, Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import { type Identity, identities, lastUsed } from '#rooms/identity/credentials/index.ts'
import { type Claims, readToken } from './access-token.ts'

export type Bearer = { tenant: Tenancy; sourceAddress: string; authorization: string | undefined }

/** Who an Authorization header speaks for, right now. With a token that was seen before this is no more than look-ups. */
export function authenticate(world: World, asked: Bearer): Actor | Promise<Actor> {
  const claims = readToken(world, asked.tenant, bearerToken(asked.authorization))
  return claims instanceof Promise ? claims.then((each) => actorOf(world, asked, each)) : actorOf(world, asked, claims)
}

function actorOf(world: World, asked: Bearer, claims: Claims): Actor | Promise<Actor> {
  const identity = world.memory(identities).find(asked.tenant.id, claims.clientId)
  return identity instanceof Promise
    ? identity.then((each) => admit(world, asked, claims, each))
    : admit(world, asked, claims, identity)
}

function admit(world: World, asked: Bearer, claims: Claims, identity: Identity | null): Actor {
  const refusal = refusalOf(identity, asked.sourceAddress, world.now())
  if (!identity || refusal) throw refusal ?? deleted()
  if (identity.revokedTokenIds.has(claims.tokenId))
    throw new Refusal('TOKEN_INVALID', 'The access token was revoked; get a new one.')
  world.memory(lastUsed).note(asked.tenant.id, identity.credentialId)
  return {
    userId: identity.user.id,
    name: identity.user.name,
    email: identity.user.email,
    roleIds: identity.roleIds,
    credentialId: identity.credentialId,
    clientId: identity.clientId,
    tokenId: claims.tokenId,
    sessionId: '',
    permissions: identity.permissions,
    permissionsOnOwned: identity.permissionsOnOwned,
    limits: identity.limits,
  }
}

const deleted = (): Refusal => new Refusal('CREDENTIAL_REVOKED', 'The API credential was deleted.')

/** Why a credential is not honoured now, whatever was proved before. */
export function refusalOf(identity: Identity | null, sourceAddress: string, now: Date): Refusal | null {
  if (!identity || identity.isDeleted) return deleted()
  if (identity.isSetAside)
    return new Refusal(
      'CREDENTIAL_REVOKED',
      'The API credential is from before the database was restored, and has not been approved since.',
    )
  if (identity.expiresAt && identity.expiresAt <= now)
    return new Refusal('CREDENTIAL_REVOKED', 'The API credential has expired.')
  if (identity.trust?.terms.isDisabled)
    return new Refusal('CREDENTIAL_REVOKED', 'The federation trust of this client is disabled.')
  if (identity.trust?.provider.isDisabled)
    return new Refusal('CREDENTIAL_REVOKED', 'The provider of the federation trust of this client is disabled.')
  if (!identity.user.isEnabled) return new Refusal('USER_DISABLED', 'The user of this API credential is disabled.')
  if (!identity.isAllowedFrom(sourceAddress))
    return new Refusal('SOURCE_ADDRESS_DENIED', 'The API credential may not be used from this address.')
  return null
}

export function bearerToken(authorization: string | undefined): string {
  if (!authorization)
    throw new Refusal('TOKEN_MISSING', 'This needs an access token: send "Authorization: Bearer <ACCESS_TOKEN>".')
  const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization) ?? []
  if (!token) throw new Refusal('TOKEN_INVALID', 'The Authorization header must be "Bearer <ACCESS_TOKEN>".')
  return token
}

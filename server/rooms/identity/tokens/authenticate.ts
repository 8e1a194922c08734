import { Refusal } from '#kernel/refusals.ts'
import type { Actor, Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import { type Identity, identities, lastUsed, narrow } from '#rooms/identity/credentials/index.ts'
import { type Claims, readToken } from './access-token.ts'
import { boundTokenRefused, checkProof, type DpopAsked } from './dpop/check.ts'

export type Bearer = {
  tenant: Tenancy
  sourceAddress: string
  authorization: string | undefined
  dpop: DpopAsked
  sendHeader: (name: string, value: string) => void
}
/** An access token as it was presented: alone (RFC 6750), or with a proof of possession (RFC 9449 section 7.1). */
type Presented = { token: string; isWithProof: boolean }

/**
 * The caller that an Authorization header belongs to, at present. For a token that was seen before, this is only a few
 * look-ups.
 */
export function authenticate(world: World, asked: Bearer): Actor | Promise<Actor> {
  const presented = presentedToken(asked.authorization)
  const claims = readToken(world, asked.tenant, presented.token)
  return claims instanceof Promise
    ? claims.then((each) => actorOf(world, asked, presented, each))
    : actorOf(world, asked, presented, claims)
}

function actorOf(world: World, asked: Bearer, presented: Presented, claims: Claims): Actor | Promise<Actor> {
  const identity = world.memory(identities).find(asked.tenant.id, claims.clientId)
  const scoped = identity instanceof Promise ? identity.then(withinScope) : withinScope(identity)
  return scoped instanceof Promise
    ? scoped.then((each) => admitPresented(world, asked, presented, claims, each))
    : admitPresented(world, asked, presented, claims, scoped)

  /** Limited to the scope of the token. */
  function withinScope(found: Identity | null): Identity | null | Promise<Identity> {
    return found && claims.scope ? narrow(world, asked.tenant.id, found, claims.scope) : found
  }
}

function admitPresented(
  world: World,
  asked: Bearer,
  { token, isWithProof }: Presented,
  claims: Claims,
  identity: Identity | null,
): Actor | Promise<Actor> {
  const actor = admit(world, asked, claims, identity)
  if (claims.jkt === null) {
    if (isWithProof) throw boundTokenRefused('The access token is not bound to a key; send it as "Bearer".')
    if (identity?.requireDpop) throw boundTokenRefused('The API credential requires DPoP; get a new access token.')
    return noteUse(world, asked, actor)
  }
  if (!isWithProof)
    throw boundTokenRefused('The access token is bound to a key; send it as "DPoP", with a proof in the DPoP header.')
  const { tenant, sendHeader, dpop } = asked
  const wanted = { holderId: actor.credentialId, accessToken: token, jkt: claims.jkt }
  return checkProof({ ...world, tenant, sendHeader }, dpop, wanted).then(() => noteUse(world, asked, actor))
}

function noteUse(world: World, { tenant }: Bearer, actor: Actor): Actor {
  world.memory(lastUsed).note(tenant.id, actor.credentialId)
  return actor
}

function admit(world: World, asked: Bearer, claims: Claims, identity: Identity | null): Actor {
  const refusal = refusalOf(identity, asked.sourceAddress, world.now())
  if (!identity || refusal) throw refusal ?? deleted()
  if (identity.revokedTokenIds.has(claims.tokenId))
    throw new Refusal('TOKEN_INVALID', 'The access token was revoked; get a new one.')
  return {
    userId: identity.user.id,
    name: identity.user.name,
    email: identity.user.email,
    roleIds: identity.roleIds,
    credentialId: identity.credentialId,
    clientId: identity.clientId,
    tokenId: claims.tokenId,
    ...(claims.scope && { tokenScope: claims.scope }),
    sessionId: '',
    permissions: identity.permissions,
    permissionsOnOwned: identity.permissionsOnOwned,
    limits: identity.limits,
  }
}

const deleted = (): Refusal => new Refusal('CREDENTIAL_REVOKED', 'The API credential was deleted.')

/** Whether a token of a credential is accepted now, from an address where it may be used. */
export const isHonoured = (identity: Identity, { tokenId, jkt }: Claims, now: Date): boolean =>
  refusalAnywhere(identity, now) === null &&
  !identity.revokedTokenIds.has(tokenId) &&
  (jkt !== null || !identity.requireDpop)

/** Why a credential is not accepted now, regardless of what was proved before. */
export function refusalOf(identity: Identity | null, sourceAddress: string, now: Date): Refusal | null {
  const refusal = refusalAnywhere(identity, now)
  if (refusal) return refusal
  return identity?.isAllowedFrom(sourceAddress)
    ? null
    : new Refusal('SOURCE_ADDRESS_DENIED', 'The API credential may not be used from this address.')
}

function refusalAnywhere(identity: Identity | null, now: Date): Refusal | null {
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
  return null
}

export function bearerToken(authorization: string | undefined): string {
  const { token, isWithProof } = presentedToken(authorization)
  if (isWithProof) throw new Refusal('TOKEN_INVALID', 'The Authorization header must be "Bearer <ACCESS_TOKEN>".')
  return token
}

function presentedToken(authorization: string | undefined): Presented {
  if (!authorization)
    throw new Refusal('TOKEN_MISSING', 'This needs an access token: send "Authorization: Bearer <ACCESS_TOKEN>".')
  const [, scheme = '', token] = /^(Bearer|DPoP) +([\w.~+/=-]+)$/i.exec(authorization) ?? []
  if (!token) throw new Refusal('TOKEN_INVALID', 'The Authorization header must be "Bearer <ACCESS_TOKEN>".')
  return { token, isWithProof: scheme.length === 'DPoP'.length }
}

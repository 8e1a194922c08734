import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { described, list, type MessageOf, text } from '#kernel/wire.ts'
import type { Identity } from '#rooms/identity/credentials/index.ts'
import { beyond, findProvenRoles } from '#rooms/identity/roles/index.ts'
import { audiencesOf } from './assertion.ts'
import { scopesIn, scopesMax } from './devices/decide.ts'

const invalid = (why: string): Refusal => new Refusal('SCOPE_INVALID', `scope ${why}.`)

/**
 * RFC 6749 section 3.3: the roles that are requested for a token, or null for all that its credential has. Refuses
 * unknown roles, and those that permit more than the credential does.
 */
export async function scopeFor(call: Call, scope: string, identity: Identity): Promise<readonly string[] | null> {
  const ids = scopesIn(scope)
  if (ids.length === 0) return null
  if (ids.length > scopesMax) throw invalid(`must name at most ${scopesMax} roles`)
  const roles = await findProvenRoles(call, call.tenant.id, ids)
  const known = new Set(roles.map(({ id }) => id))
  if (ids.some((id) => !known.has(id)))
    throw invalid('must be ids of roles, to limit the token to; omit it for all permissions of the client')
  const held = new Set([...identity.roleIds, ...identity.limits.roleIds])
  if (roles.some((role) => !held.has(role.id) && beyond(identity, role).length > 0))
    throw invalid('names a role that permits more than the client may do')
  return ids
}

/** For clients whose tokens cannot be limited at the token endpoint. */
export function refuseScope(scope: string, why: string): void {
  if (scope !== '') throw invalid(why)
}

/** RFC 6749 section 5.1: what the token is limited to, by its request or its credential; nothing if it is not. */
export const scopeReply = (scope: readonly string[] | null, limited: readonly string[]): { scope?: string } => {
  const roles = scope ?? limited
  return roles.length > 0 ? { scope: roles.join(' ') } : {}
}

const targetsMax = 20
export const targetFields = {
  audience: described(list(text(), targetsMax), "The tenant's domain, or absent: tokens are for this tenant only."),
  resource: described(list(text(), targetsMax), 'Addresses of this tenant, or absent (RFC 8707).'),
}
type Targets = MessageOf<typeof targetFields>

/** RFC 8693 section 2.1 and RFC 8707 section 2: tokens are only for this tenant. */
export function refuseOtherTargets(call: Call, { audience, resource }: Targets): void {
  const domains = audiencesOf(call.tenant.domain)
  const origins = [call.origin, ...domains.map((domain) => `https://${domain}`)]
  const isOurs = (url: URL | null): boolean => url !== null && url.hash === '' && origins.includes(url.origin)
  if (!resource.every((each) => isOurs(URL.parse(each))))
    throw new Refusal('TARGET_INVALID', `resource must be an address of this tenant, as in ${call.origin}.`)
  if (!audience.every((each) => domains.includes(each) || isOurs(URL.parse(each))))
    throw new Refusal('TARGET_INVALID', `audience must be ${call.tenant.domain}.`)
}

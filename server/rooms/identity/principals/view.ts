import { mayEverywhere } from '#authority/may.ts'
import { ObjectPermissions } from '#kernel/expand.ts'
import type { FieldViolation } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { described, fixed, flag, leftOut, list, message, nested, readOnly, text, timestamp } from '#kernel/wire.ts'
import { type Credential, namedLength } from '#rooms/identity/credentials/index.ts'
import { type User, UserMessage } from '#rooms/identity/users/index.ts'

export const ServicePrincipal = message(
  'service_principal.v1.ServicePrincipal',
  {
    id: readOnly(text()),
    displayName: text({ maxLength: namedLength }),
    user: nested(UserMessage),
    objectPermissions: fixed(nested(ObjectPermissions)),
    createdAt: readOnly(timestamp()),
    updatedAt: readOnly(timestamp()),
  },
  'An identity for a program: a user that has API credentials and cannot sign in. Its roles and status are those of the user.',
)

export const ServicePrincipalCredential = message(
  'service_principal.v1.ServicePrincipalCredential',
  {
    id: readOnly(text()),
    servicePrincipalId: readOnly(text()),
    clientId: readOnly(text()),
    displayName: text({ maxLength: namedLength }),
    allowSourceCidrs: readOnly(list(text())),
    scopedRoleIds: readOnly(list(text())),
    requireDpop: readOnly(described(flag(), 'Its access tokens are bound to a key of the client (DPoP, RFC 9449).')),
    createdAt: readOnly(timestamp()),
    expiresAt: leftOut(readOnly(timestamp())),
    lastUsedAt: leftOut(readOnly(timestamp())),
  },
  'A credential of a service principal. An empty scopedRoleIds means all permissions of the roles of the principal.',
)

type SentUser = { status: string; roleIds: readonly string[]; delegatedUserId: string } | null | undefined

/** The changes of the user itself in an update: these are made by the operations of users. */
export function otherUserProblems(sent: SentUser, user: User): FieldViolation[] {
  if (!sent) return []
  const isSame = {
    status: sent.status === 'UNKNOWN' || sent.status === user.status,
    roleIds: sent.roleIds.length === 0 || sent.roleIds.toSorted().join() === user.roleIds.toSorted().join(),
    delegatedUserId: sent.delegatedUserId === '' || sent.delegatedUserId === user.delegatedUserId,
  }
  return Object.entries(isSame)
    .filter(([, same]) => !same)
    .map(([name]) => ({
      field: `servicePrincipal.user.${name}`,
      description: 'cannot be changed here; use the operations for users',
    }))
}

/** For administrators, and for owners, the only others who see one. */
export const viewPrincipal = ({ actor }: Pick<Call, 'actor'>, user: User, isOwner: boolean) => ({
  id: user.id,
  displayName: user.displayName,
  user,
  objectPermissions: {
    read: true,
    edit: isOwner || mayEverywhere(actor, 'principals.edit'),
    delete: mayEverywhere(actor, 'principals.edit'),
  },
  createdAt: user.createdAt,
  updatedAt: user.updatedAt,
})

export const viewCredential = (credential: Credential) => ({
  id: credential.id,
  servicePrincipalId: credential.userId,
  clientId: credential.clientId,
  displayName: credential.displayName,
  allowSourceCidrs: credential.allowSourceCidr,
  scopedRoleIds: credential.scopedRoles,
  requireDpop: credential.requireDpop,
  createdAt: credential.createdAt,
  expiresAt: credential.expiresTime,
  lastUsedAt: credential.lastUsedAt,
})

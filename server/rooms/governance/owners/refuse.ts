import { Refusal } from '#kernel/refusals.ts'
import type { EntitlementRef, ObjectRef, Owners } from '#rooms/foundation/ownership/index.ts'
import { userNotFound } from '#rooms/identity/users/index.ts'
import { accountNotFound } from '#rooms/records/accounts/index.ts'
import { appNotFound, entitlementNotFound, resourceNotFound } from '#rooms/records/apps/index.ts'
import { connectorNotFound } from '#rooms/records/connectors/index.ts'
import { inWords } from './decide.ts'

export const objectNotFound = ({ kind, appId, typeId, id }: ObjectRef): Refusal =>
  ({
    app: () => appNotFound(id),
    entitlement: () => entitlementNotFound(appId, id),
    resource: () => resourceNotFound(appId, typeId, id),
    account: () => accountNotFound({ appId, id }),
    user: () => userNotFound(id),
    connector: () => connectorNotFound(id),
  })[kind]()

const namedMax = 100

/** Names those that do not exist, up to a hundred. */
export function ownersNotFound({ userIds, entitlements }: Owners): Refusal {
  if (entitlements.length === 0) return userNotFound(...userIds)
  const named = entitlements.slice(0, namedMax)
  const more = entitlements.length > namedMax ? ` and ${entitlements.length - namedMax} more` : ''
  const entitlementText = `no entitlement ${named.map(inWords).join(', ')}${more}`
  const users = userIds.slice(0, namedMax)
  const metadata = {
    appEntitlementIds: named.map(({ id }) => id).join(','),
    ...(users.length > 0 && { userIds: users.join(',') }),
  }
  return users.length === 0
    ? new Refusal('ENTITLEMENT_NOT_FOUND', `There is ${entitlementText}.`, { metadata })
    : new Refusal('USER_NOT_FOUND', `There is no user ${users.join(', ')}, and ${entitlementText}.`, { metadata })
}

export const ownerNotFound = (
  { kind, id }: ObjectRef,
  roleSlug: string,
  owner: { userId: string } | { entitlement: EntitlementRef },
): Refusal => {
  const isUser = 'userId' in owner
  const named = isUser ? `The user ${owner.userId}` : `The entitlement ${inWords(owner.entitlement)}`
  const metadata = isUser ? { userId: owner.userId } : { appEntitlementId: owner.entitlement.id }
  return new Refusal('OWNER_NOT_FOUND', `${named} is not named as an owner of the ${kind} ${id} in ${roleSlug}.`, {
    metadata: { ...metadata, roleSlug },
  })
}

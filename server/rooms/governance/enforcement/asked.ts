import type { ManualAssignee, ProvisionPolicy } from '#rooms/records/apps/index.ts'

/** The people who are asked to provision something, as a provisioner names them, and who is asked if there are none. */
export type Asked = { fallbackUserIds: readonly string[] } & (
  | { by: 'users'; userIds: readonly string[] }
  | { by: 'group'; entitlement: { appId: string; id: string } }
  | { by: 'expression'; expressions: readonly string[] }
  | { by: 'manager' | 'appOwners' | 'entitlementOwners' }
)

/** Whom a provisioner names; if it names nobody, the owners of the app are asked. */
export function askedBy(manual: ProvisionPolicy['manual']): Asked {
  if (manual && manual.userIds.length > 0) return { by: 'users', userIds: manual.userIds, fallbackUserIds: [] }
  return manual?.assignee ? assigneesOf(manual.assignee) : { by: 'appOwners', fallbackUserIds: [] }
}

function assigneesOf(assignee: ManualAssignee): Asked {
  const { users, group, expression, manager, appOwners, entitlementOwners } = assignee
  if (users) return { by: 'users', userIds: users.userIds, fallbackUserIds: [] }
  if (group) {
    const entitlement = { appId: group.appId, id: group.appGroupId }
    return { by: 'group', entitlement, fallbackUserIds: group.fallbackUserIds }
  }
  if (expression)
    return { by: 'expression', expressions: expression.expressions, fallbackUserIds: expression.fallbackUserIds }
  const by = manager ? 'manager' : entitlementOwners ? 'entitlementOwners' : 'appOwners'
  return { by, fallbackUserIds: (manager ?? entitlementOwners ?? appOwners)?.fallbackUserIds ?? [] }
}

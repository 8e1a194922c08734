import { type ObjectRef, primary } from '#rooms/foundation/ownership/index.ts'
import type { ConnectorOwners } from '#rooms/records/connectors/index.ts'
import { changeOwners, nameOwners } from './actions.ts'
import { refsMax } from './decide.ts'
import { listNamedInOrder } from './store/order.ts'
import { listEntitlementOwners, listUsersOfObjects } from './store/read.ts'

const objectOf = ({ appId, connectorId }: { appId: string; connectorId: string }): ObjectRef => ({
  kind: 'connector',
  appId,
  typeId: '',
  id: connectorId,
})

/** Owners as connectors show and change them: users, in the role primary. */
export const connectorOwners: ConnectorOwners = {
  name: nameOwners,
  async setUsers(tx, call, ref, userIds) {
    const object = objectOf(ref)
    const moment = { at: call.now(), isNow: true }
    const role = { object, roleSlug: primary }
    const holders = await listEntitlementOwners(tx, call.tenant.id, role, moment, { after: null, limit: refsMax })
    const entitlements = holders.map(({ entitlement }) => entitlement)
    await changeOwners(tx, call, object, primary, { set: { userIds, entitlements } })
  },
  async listUsers(db, call, ref) {
    const moment = { at: call.now(), isNow: true }
    const role = { object: objectOf(ref), roleSlug: primary }
    return (await listNamedInOrder(db, call.tenant.id, role, moment, refsMax)).map(({ userId }) => userId)
  },
  async listUsersOfMany(db, call, appId, ids) {
    const rows = await listUsersOfObjects(db, call.tenant.id, { kind: 'connector', appId, roleSlug: primary }, ids)
    const users = new Map<string, string[]>()
    for (const { id, userId } of rows) users.set(id, [...(users.get(id) ?? []), userId])
    return users
  },
}

import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import type { EntitlementRef, ObjectRef, RoleRef } from '#rooms/foundation/ownership/index.ts'

export type FoundObject = { name: string; isDeleted: boolean }

/** The row `t` of an object. */
const rowOf = (db: Reads, tenantId: number, { kind, appId, typeId, id }: ObjectRef) =>
  ({
    app: () => db`apps t where t.tenant_id = ${tenantId} and t.app_id = ${id}`,
    entitlement: () => db`entitlements t
      where t.tenant_id = ${tenantId} and t.app_id = ${appId} and t.entitlement_id = ${id}`,
    resource: () => db`resources t
      where t.tenant_id = ${tenantId} and t.app_id = ${appId} and t.resource_type_id = ${typeId}
        and t.resource_id = ${id}`,
    account: () => db`accounts t where t.tenant_id = ${tenantId} and t.app_id = ${appId} and t.account_id = ${id}`,
    user: () => db`users t where t.tenant_id = ${tenantId} and t.user_id = ${id}`,
    connector: () => db`connectors t
      where t.tenant_id = ${tenantId} and t.app_id = ${appId} and t.connector_id = ${id}`,
  })[kind]()

export async function findObject(db: Reads, tenantId: number, object: ObjectRef): Promise<FoundObject | null> {
  const [found] = await db<FoundObject[]>`
    select t.display_name as name, t.deleted_at is not null as "isDeleted" from ${rowOf(db, tenantId, object)}`
  return found ?? null
}

/**
 * The same, to change its owners in a role: the object cannot be deleted until the transaction ends. Changes of the same
 * role of one object are serialized.
 */
export async function lockObject(tx: Tx, tenantId: number, { object, roleSlug }: RoleRef): Promise<FoundObject | null> {
  const key = JSON.stringify(['owners', object.kind, object.appId, object.typeId, object.id, roleSlug])
  const [found] = await tx<FoundObject[]>`
    select t.display_name as name, t.deleted_at is not null as "isDeleted",
      pg_advisory_xact_lock(hashtextextended(${key}, ${tenantId}))
    from ${rowOf(tx, tenantId, object)} for share`
  return found ?? null
}

/** The accounts of a user in an app: at most two, which is enough to see whether there is exactly one. */
export async function findAccountsOf(
  db: Reads,
  tenantId: number,
  { appId, userId }: { appId: string; userId: string },
  isNow: boolean,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select account_id as id from accounts
    where tenant_id = ${tenantId} and user_id = ${userId} and app_id = ${appId}
      ${isNow ? db`and deleted_at is null` : db``}
    order by account_id limit 2`
  return rows.map(({ id }) => id)
}

/** Selects those of some users who exist, and locks them until the transaction ends. */
export const holdingUsers = (tx: Tx, tenantId: number, userIds: readonly string[]): Fragment => tx`
  select u.user_id from users u
  where u.tenant_id = ${tenantId} and u.user_id = any(${userIds}::text[]) and u.deleted_at is null
  order by u.user_id for share`

/** The same for entitlements. */
export const holdingEntitlements = (tx: Tx, tenantId: number, refs: readonly EntitlementRef[]): Fragment => tx`
  select e.app_id, e.entitlement_id from entitlements e
  where e.tenant_id = ${tenantId} and e.app_id = any(${refs.map(({ appId }) => appId)}::text[])
    and e.entitlement_id = any(${refs.map(({ id }) => id)}::text[]) and e.deleted_at is null
  order by e.app_id, e.entitlement_id for share`

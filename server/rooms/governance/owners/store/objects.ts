import type { Reads, Tx } from '#kernel/sql.ts'
import type { ObjectRef } from '../owner.ts'
import type { RoleRef } from '../store.ts'

export type FoundObject = { name: string; isDeleted: boolean }

/** The row `t` of what is owned. */
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
 * The same, to change who owns it in a role: it stays until the transaction ends. Changes of one role of one thing are
 * made one after the other; what one of them sees no other changes under it.
 */
export async function lockObject(tx: Tx, tenantId: number, { object, roleSlug }: RoleRef): Promise<FoundObject | null> {
  const key = JSON.stringify(['owners', object.kind, object.appId, object.typeId, object.id, roleSlug])
  const [found] = await tx<FoundObject[]>`
    select t.display_name as name, t.deleted_at is not null as "isDeleted",
      pg_advisory_xact_lock(hashtextextended(${key}, ${tenantId}))
    from ${rowOf(tx, tenantId, object)} for share`
  return found ?? null
}

/** The accounts of a user in an app, as far as it matters how many they are. */
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

import type { Reads } from '#kernel/sql.ts'

/** Which of some ids exist: what a picker may name, and what may be picked. */

type Found = Promise<ReadonlySet<string>>
const idsOf = (rows: readonly { id: string }[]): ReadonlySet<string> => new Set(rows.map(({ id }) => id))

export async function listUsersAmong(
  db: Reads,
  tenantId: number,
  ids: readonly string[],
  includesDisabled: boolean,
): Found {
  return idsOf(
    await db<{ id: string }[]>`
      select u.user_id as id from users u
      where u.tenant_id = ${tenantId} and u.user_id = any(${ids}::text[]) and u.deleted_at is null
        ${includesDisabled ? db`` : db`and u.status = 'ENABLED'`}`,
  )
}

export async function listAppsAmong(db: Reads, tenantId: number, ids: readonly string[]): Found {
  return idsOf(
    await db<{ id: string }[]>`
      select a.app_id as id from apps a
      where a.tenant_id = ${tenantId} and a.app_id = any(${ids}::text[]) and a.deleted_at is null`,
  )
}

export async function listTypesAmong(db: Reads, tenantId: number, appId: string, ids: readonly string[]): Found {
  return idsOf(
    await db<{ id: string }[]>`
      select t.resource_type_id as id from resource_types t
      where t.tenant_id = ${tenantId} and t.app_id = ${appId} and t.resource_type_id = any(${ids}::text[])
        and t.deleted_at is null`,
  )
}

export async function listAccountsAmong(db: Reads, tenantId: number, appId: string, ids: readonly string[]): Found {
  return idsOf(
    await db<{ id: string }[]>`
      select a.account_id as id from accounts a
      where a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.account_id = any(${ids}::text[])
        and a.deleted_at is null`,
  )
}

export async function listResourcesAmong(
  db: Reads,
  tenantId: number,
  { appId, resourceTypeId }: { appId: string; resourceTypeId: string },
  ids: readonly string[],
): Found {
  return idsOf(
    await db<{ id: string }[]>`
      select r.resource_id as id from resources r
      where r.tenant_id = ${tenantId} and r.app_id = ${appId} and r.resource_type_id = ${resourceTypeId}
        and r.resource_id = any(${ids}::text[]) and r.deleted_at is null`,
  )
}

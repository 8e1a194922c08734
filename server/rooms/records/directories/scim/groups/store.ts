import type { Reads, Tx } from '#kernel/sql.ts'
import { groupType } from '../schema.ts'
import type { Columns } from '../store/where.ts'
import type { DirectoryGroup, Member } from './group.ts'

/** The columns by which groups of one directory can be filtered and sorted. */
export const groupColumnsOf = (tenantId: number, appId: string): Columns => ({
  type: groupType,
  plain: {
    id: { sql: (db) => db`x.entitlement_id`, kind: 'id', isIndexed: true },
    displayname: { sql: (db) => db`x.display_name`, kind: 'text', isIndexed: true },
    externalid: { sql: (db) => db`x.external_id`, kind: 'exact', isIndexed: true },
    'meta.created': { sql: (db) => db`x.created_at`, kind: 'time', isIndexed: false },
    'meta.lastmodified': { sql: (db) => db`x.updated_at`, kind: 'time', isIndexed: false },
  },
  members: {
    name: 'members',
    holds: (db, id) => db`exists (select 1 from grants m
      where m.tenant_id = ${tenantId} and m.app_id = ${appId} and m.entitlement_id = x.entitlement_id and m.account_id = ${id}
        and m.source = 'directory' and m.ended_at is null)`,
    some: (db) => db`exists (select 1 from grants m
      where m.tenant_id = ${tenantId} and m.app_id = ${appId} and m.entitlement_id = x.entitlement_id
        and m.source = 'directory' and m.ended_at is null)`,
  },
})

export const groupColumns = (db: Reads) => db`
  x.entitlement_id as id, x.resource_id as "resourceId", x.display_name as "displayName", x.external_id as "externalId",
  x.version, x.created_at as "createdAt", x.updated_at as "updatedAt"`

export async function findGroup(
  db: Reads,
  tenantId: number,
  appId: string,
  id: string,
): Promise<DirectoryGroup | null> {
  const [row] = await db<DirectoryGroup[]>`
    select ${groupColumns(db)} from directory_groups x
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = x.app_id and e.entitlement_id = x.entitlement_id
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.entitlement_id = ${id} and x.deleted_at is null
      and e.deleted_at is null`
  return row ?? null
}

/** Locked until the transaction ends: of two simultaneous changes, one waits for the other. */
export async function lockGroup(tx: Tx, tenantId: number, appId: string, id: string): Promise<DirectoryGroup | null> {
  const [row] = await tx<DirectoryGroup[]>`
    select ${groupColumns(tx)} from directory_groups x
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.entitlement_id = ${id} and x.deleted_at is null
    for no key update`
  return row ?? null
}

export async function insertGroup(tx: Tx, tenantId: number, appId: string, group: DirectoryGroup): Promise<void> {
  await tx`
    insert into directory_groups (tenant_id, app_id, entitlement_id, resource_id, display_name, external_id, version,
      created_at, updated_at)
    values (${tenantId}, ${appId}, ${group.id}, ${group.resourceId}, ${group.displayName}, ${group.externalId},
      ${group.version}, ${group.createdAt}, ${group.updatedAt})`
}

export async function updateGroup(tx: Tx, tenantId: number, appId: string, group: DirectoryGroup): Promise<void> {
  await tx`
    update directory_groups set display_name = ${group.displayName}, external_id = ${group.externalId},
      version = ${group.version}, updated_at = ${group.updatedAt}
    where tenant_id = ${tenantId} and app_id = ${appId} and entitlement_id = ${group.id}`
}

export async function deleteGroupRow(tx: Tx, tenantId: number, appId: string, id: string, at: Date): Promise<void> {
  await tx`
    update directory_groups set deleted_at = ${at}, updated_at = ${at}
    where tenant_id = ${tenantId} and app_id = ${appId} and entitlement_id = ${id}`
}

/** Whether the entitlement still exists: someone may have deleted it manually. */
export async function hasEntitlement(tx: Tx, tenantId: number, appId: string, id: string): Promise<boolean> {
  const rows = await tx`
    select 1 from entitlements
    where tenant_id = ${tenantId} and app_id = ${appId} and entitlement_id = ${id} and deleted_at is null for share`
  return rows.length > 0
}

/** Those of the ids that are users of the directory; locked, so that nobody deletes them meanwhile. */
export async function shareUsers(
  tx: Tx,
  tenantId: number,
  appId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await tx<{ id: string }[]>`
    select account_id as id from directory_users
    where tenant_id = ${tenantId} and app_id = ${appId} and account_id = any(${ids}::text[]) and deleted_at is null
    order by account_id for share`
  return new Set(rows.map(({ id }) => id))
}

/** The members of some groups, in order; with their names if requested. */
export async function listMembers(
  db: Reads,
  tenantId: number,
  appId: string,
  groupIds: readonly string[],
  isNamed: boolean,
): Promise<Member[]> {
  if (groupIds.length === 0) return []
  return db<Member[]>`
    select g.entitlement_id as "groupId", g.account_id as id ${isNamed ? db`, a.display_name as "displayName"` : db``}
    from grants g
    ${isNamed ? db`join accounts a on a.tenant_id = ${tenantId} and a.app_id = g.app_id and a.account_id = g.account_id` : db``}
    where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = any(${groupIds}::text[])
      and g.source = 'directory' and g.ended_at is null ${isNotGone(db, tenantId, appId)}
    order by g.entitlement_id, g.account_id`
}

/** For a directory, a user whom it deleted does not exist, though what they hold is kept while the deletion is held. */
const isNotGone = (db: Reads, tenantId: number, appId: string) => db`
  and not exists (select 1 from directory_users d
    where d.tenant_id = ${tenantId} and d.app_id = ${appId} and d.account_id = g.account_id and d.is_held
      and d.deleted_at is not null)`

export type Size = { id: string; count: number }

export async function countMembers(
  db: Reads,
  tenantId: number,
  appId: string,
  groupIds: readonly string[],
): Promise<Size[]> {
  return db<Size[]>`
    select entitlement_id as id, count(*) from grants
    where tenant_id = ${tenantId} and app_id = ${appId} and entitlement_id = any(${groupIds}::text[])
      and source = 'directory' and ended_at is null
    group by entitlement_id`
}

/** Members of a group other than these. */
export async function listOtherMembers(
  tx: Tx,
  tenantId: number,
  appId: string,
  groupId: string,
  kept: readonly string[],
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select g.account_id as id from grants g
    left join unnest(${kept}::text[]) as k (account_id) on k.account_id = g.account_id
    where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${groupId}
      and g.source = 'directory' and g.ended_at is null and k.account_id is null`
  return rows.map(({ id }) => id)
}

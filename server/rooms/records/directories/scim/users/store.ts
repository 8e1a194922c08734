import type { Reads, Tx } from '#kernel/sql.ts'
import { managerOf } from '../../people/person.ts'
import { isObject, type Resource } from '../../resource.ts'
import type { DirectoryUser, Membership } from './user.ts'

export const userColumns = (db: Reads) => db`
  x.account_id as id, x.user_id as "userId", x.user_name as "userName", x.resource, x.is_active as "isActive", x.version,
  x.is_source as "isSource", x.is_held as "isHeld", x.manager_id as "managerId", x.deactivated_at as "deactivatedAt",
  x.created_at as "createdAt", x.updated_at as "updatedAt", x.deleted_at as "deletedAt"`

export async function findDirectoryUser(
  db: Reads,
  tenantId: number,
  appId: string,
  id: string,
): Promise<DirectoryUser | null> {
  const [row] = await db<DirectoryUser[]>`
    select ${userColumns(db)} from directory_users x
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.account_id = ${id} and x.deleted_at is null`
  return row ?? null
}

/** Locked until the transaction ends: of two simultaneous changes, one waits for the other. */
export async function lockDirectoryUser(
  tx: Tx,
  tenantId: number,
  appId: string,
  id: string,
): Promise<DirectoryUser | null> {
  const [row] = await tx<DirectoryUser[]>`
    select ${userColumns(tx)} from directory_users x
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.account_id = ${id} and x.deleted_at is null
    for no key update`
  return row ?? null
}

export async function isNameTaken(
  db: Reads,
  tenantId: number,
  appId: string,
  userName: string,
  exceptId: string,
): Promise<boolean> {
  const rows = await db`
    select 1 from directory_users
    where tenant_id = ${tenantId} and app_id = ${appId} and lower(user_name) = lower(${userName}) and deleted_at is null
      and account_id <> ${exceptId}`
  return rows.length > 0
}

/** The user into whom this one was merged; otherwise this one. */
export async function findMerged(db: Reads, tenantId: number, userId: string): Promise<string> {
  const [row] = await db<{ id: string }[]>`
    select coalesce(nullif(merged_into, ''), user_id::text) as id from users
    where tenant_id = ${tenantId} and user_id = ${userId}`
  return row?.id ?? userId
}

/** The user whom a reference identifies: by the id here, else by the client's own id, else by user name. */
export async function findUserIdOf(db: Reads, tenantId: number, appId: string, ref: string): Promise<string | null> {
  const [row] = await db<{ userId: string }[]>`
    select user_id as "userId" from directory_users
    where tenant_id = ${tenantId} and app_id = ${appId} and deleted_at is null
      and (account_id = ${ref} or external_id = ${ref} or lower(user_name) = lower(${ref}))
    order by account_id <> ${ref} limit 1`
  return row?.userId ?? null
}

/** Those of the users whose source is another directory. */
export async function listWithOtherSource(
  tx: Tx,
  tenantId: number,
  appId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx<{ userId: string }[]>`
    select x.user_id as "userId" from directory_users x
    join directories d on d.tenant_id = ${tenantId} and d.app_id = x.app_id and d.deleted_at is null
    join apps a on a.tenant_id = ${tenantId} and a.app_id = x.app_id and a.deleted_at is null
    where x.tenant_id = ${tenantId} and x.user_id = any(${userIds}::text[]) and x.app_id <> ${appId}
      and x.is_source and x.deleted_at is null`
  return new Set(rows.map(({ userId }) => userId))
}

const externalIdOf = ({ externalId }: Resource): string | null => (typeof externalId === 'string' ? externalId : null)
/** In lower case, for filters. */
const emailsIn = ({ emails }: Resource): string[] =>
  (Array.isArray(emails) ? emails : []).flatMap((each) =>
    isObject(each) && typeof each['value'] === 'string' ? [each['value'].toLowerCase()] : [],
  )

export async function insertDirectoryUser(tx: Tx, tenantId: number, appId: string, user: DirectoryUser): Promise<void> {
  await tx`
    insert into directory_users (tenant_id, app_id, account_id, user_id, user_name, external_id, is_active, emails, resource,
      version, is_source, is_held, manager_ref, manager_id, deactivated_at, created_at, updated_at)
    values (${tenantId}, ${appId}, ${user.id}, ${user.userId}, ${user.userName}, ${externalIdOf(user.resource)},
      ${user.isActive}, ${emailsIn(user.resource)}, ${tx.json(user.resource)}, ${user.version}, ${user.isSource},
      ${user.isHeld}, ${managerOf(user.resource)}, ${user.managerId}, ${user.deactivatedAt}, ${user.createdAt},
      ${user.updatedAt})`
}

export async function updateDirectoryUser(tx: Tx, tenantId: number, appId: string, user: DirectoryUser): Promise<void> {
  await tx`
    update directory_users set user_name = ${user.userName}, external_id = ${externalIdOf(user.resource)},
      is_active = ${user.isActive}, emails = ${emailsIn(user.resource)}, resource = ${tx.json(user.resource)},
      version = ${user.version}, is_source = ${user.isSource},
      is_held = ${user.isHeld}, manager_ref = ${managerOf(user.resource)}, manager_id = ${user.managerId}, deactivated_at = ${user.deactivatedAt}, updated_at = ${user.updatedAt},
      deleted_at = ${user.deletedAt}
    where tenant_id = ${tenantId} and app_id = ${appId} and account_id = ${user.id}`
}

export async function countDeactivated(db: Reads, tenantId: number, appId: string, since: Date): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from directory_users
    where tenant_id = ${tenantId} and app_id = ${appId} and deactivated_at > ${since} and not is_held`
  return row?.count ?? 0
}

export async function countActive(db: Reads, tenantId: number, appId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from directory_users
    where tenant_id = ${tenantId} and app_id = ${appId} and deleted_at is null and is_active`
  return row?.count ?? 0
}

/** Users whose deactivation is held, in order; locked until the transaction ends. */
export async function lockHeld(
  tx: Tx,
  tenantId: number,
  appId: string,
  until: Date,
  limit: number,
): Promise<DirectoryUser[]> {
  return tx<DirectoryUser[]>`
    select ${userColumns(tx)} from directory_users x
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.is_held
      and coalesce(x.deactivated_at, x.updated_at) <= ${until}
    order by x.account_id limit ${limit} for no key update`
}

/** How many are held, of those held before that time; no more than `max`. */
export async function countHeld(
  db: Reads,
  tenantId: number,
  appId: string,
  until: Date | null,
  max = 10_000_000,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from (
      select 1 from directory_users x
      where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.is_held
        ${until ? db`and coalesce(x.deactivated_at, x.updated_at) <= ${until}` : db``} limit ${max}) counted`
  return row?.count ?? 0
}

export type HeldUser = { id: string; userId: string; displayName: string; isDeleted: boolean; since: Date }

export async function listHeld(
  db: Reads,
  tenantId: number,
  appId: string,
  after: string,
  limit: number,
): Promise<HeldUser[]> {
  return db<HeldUser[]>`
    select x.account_id as id, x.user_id as "userId", u.display_name as "displayName",
      x.deleted_at is not null as "isDeleted", coalesce(x.deactivated_at, x.updated_at) as since
    from directory_users x
    join users u on u.tenant_id = ${tenantId} and u.user_id = x.user_id
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.is_held and x.account_id > ${after}
    order by x.account_id limit ${limit}`
}

export async function releaseHeld(tx: Tx, tenantId: number, appId: string, ids: readonly string[]): Promise<void> {
  await tx`
    update directory_users set is_held = false
    where tenant_id = ${tenantId} and app_id = ${appId} and account_id = any(${ids}::text[])`
}

/** The groups that accounts are in. */
export async function listGroupsOf(
  db: Reads,
  tenantId: number,
  appId: string,
  accountIds: readonly string[],
): Promise<Membership[]> {
  if (accountIds.length === 0) return []
  return db<Membership[]>`
    select g.account_id as "accountId", d.entitlement_id as id, d.display_name as "displayName"
    from grants g
    join directory_groups d on d.tenant_id = ${tenantId} and d.app_id = g.app_id and d.entitlement_id = g.entitlement_id
    where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.account_id = any(${accountIds}::text[])
      and g.source = 'directory' and g.ended_at is null and d.deleted_at is null
    order by d.entitlement_id`
}

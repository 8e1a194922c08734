import type { Reads } from '#kernel/sql.ts'

/** Lookups for expressions of policies: limited to the tenant, and to `limit` rows. */

type Found = { key: string; userId: string }

/** By address: the sign-in address of a user who is not deleted is unique. */
export const listUsersByEmail = (db: Reads, tenantId: number, emails: readonly string[]): Promise<Found[]> =>
  db<Found[]>`
    select w.email as key, u.user_id as "userId"
    from unnest(${emails}::text[]) as w (email)
    join users u on u.tenant_id = ${tenantId} and lower(u.email) = lower(w.email) and u.email <> '' and u.deleted_at is null`

/** At most two of each name, which is enough to see that it is ambiguous. */
export const listUsersByName = (db: Reads, tenantId: number, names: readonly string[]): Promise<Found[]> =>
  db<Found[]>`
    select key, "userId" from (
      select u.display_name as key, u.user_id as "userId",
        row_number() over (partition by u.display_name order by u.user_id) as place
      from users u
      where u.tenant_id = ${tenantId} and u.display_name = any(${names}::text[]) and u.deleted_at is null) named
    where place <= 2`

export const listLivingUsers = (db: Reads, tenantId: number, ids: readonly string[]): Promise<Found[]> =>
  db<Found[]>`
    select u.user_id as key, u.user_id as "userId" from users u
    where u.tenant_id = ${tenantId} and u.user_id = any(${ids}::text[]) and u.deleted_at is null`

/** In the order in which the directory lists them. */
export const listManagersOf = (db: Reads, tenantId: number, ids: readonly string[]): Promise<Found[]> =>
  db<Found[]>`
    select u.user_id as key, m.user_id as "userId"
    from users u
    cross join lateral unnest(u.manager_ids) with ordinality as named (manager_id, place)
    join users m on m.tenant_id = ${tenantId} and m.user_id = named.manager_id and m.deleted_at is null
    where u.tenant_id = ${tenantId} and u.user_id = any(${ids}::text[]) and u.deleted_at is null
    order by u.user_id, named.place`

export const listReportsOf = (
  db: Reads,
  tenantId: number,
  ids: readonly string[],
  limit: number,
): Promise<Found[]> => db<Found[]>`
    select named.manager_id as key, u.user_id as "userId"
    from users u
    cross join lateral unnest(u.manager_ids) as named (manager_id)
    where u.tenant_id = ${tenantId} and u.manager_ids && ${ids}::text[] and named.manager_id = any(${ids}::text[])
      and u.deleted_at is null
    order by named.manager_id, u.user_id limit ${limit + 1}`

/** Which of these users have an account in an app that is not deleted, and the status of each account. */
export const listAccountsIn = (
  db: Reads,
  tenantId: number,
  appId: string,
  ids: readonly string[],
): Promise<{ userId: string; status: string }[]> => db<{ userId: string; status: string }[]>`
    select distinct a.user_id as "userId", a.status from accounts a
    where a.tenant_id = ${tenantId} and a.user_id = any(${ids}::text[]) and a.app_id = ${appId} and a.deleted_at is null`

/**
 * Which of these users hold an entitlement: looked up from the user, because everyone may hold it (`offset 0` enforces
 * that).
 */
export async function listHoldersAmong(
  db: Reads,
  tenantId: number,
  { appId, id }: { appId: string; id: string },
  ids: readonly string[],
  at: Date,
): Promise<string[]> {
  const rows = await db<{ userId: string }[]>`
    select distinct a.user_id as "userId" from accounts a
    cross join lateral (
      select 1 from grants g
      where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${id} and g.account_id = a.account_id
        and g.ended_at is null and (g.expires_at is null or g.expires_at > ${at}) offset 0) g
    where a.tenant_id = ${tenantId} and a.user_id = any(${ids}::text[]) and a.app_id = ${appId} and a.deleted_at is null`
  return rows.map(({ userId }) => userId)
}

/**
 * Which of these users hold an entitlement because they are enrolled in an access profile: it was granted to them, or
 * requested for them, on enrollment. `isAutomatic`: only if the profile's automation enrolled them. Profiles and tasks are
 * rooms further down; their tables are only read here.
 */
export async function listGrantedFromEnrollment(
  db: Reads,
  tenantId: number,
  { appId, id }: { appId: string; id: string },
  ids: readonly string[],
  { at, isAutomatic }: { at: Date; isAutomatic: boolean },
): Promise<string[]> {
  const rows = await db<{ userId: string }[]>`
    select distinct a.user_id as "userId" from accounts a
    cross join lateral (
      select g.source, g.granted_by from grants g
      where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${id} and g.account_id = a.account_id
        and g.ended_at is null and (g.expires_at is null or g.expires_at > ${at}) offset 0) g
    join profile_members m on m.tenant_id = ${tenantId} and m.user_id = a.user_id and m.state <> 'asked'
    left join tasks t on t.tenant_id = ${tenantId} and g.source = 'request' and t.task_id = g.granted_by
    where a.tenant_id = ${tenantId} and a.user_id = any(${ids}::text[]) and a.app_id = ${appId} and a.deleted_at is null
      and m.profile_id = case g.source when 'profile' then g.granted_by when 'request' then t.source ->> 'profileId' end
      ${isAutomatic ? db`and m.is_automatic` : db``}`
  return rows.map(({ userId }) => userId)
}

/** Users who hold an entitlement now and are not deleted; one more than `limit` if there are more. */
export async function listMembers(
  db: Reads,
  tenantId: number,
  { appId, id }: { appId: string; id: string },
  at: Date,
  limit: number,
): Promise<string[]> {
  const rows = await db<{ userId: string }[]>`
    select distinct a.user_id as "userId" from grants g
    join accounts a on a.tenant_id = ${tenantId} and a.app_id = g.app_id and a.account_id = g.account_id
    join users u on u.tenant_id = ${tenantId} and u.user_id = a.user_id
    where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${id} and g.ended_at is null
      and (g.expires_at is null or g.expires_at > ${at}) and a.deleted_at is null and u.deleted_at is null
    order by a.user_id limit ${limit + 1}`
  return rows.map(({ userId }) => userId)
}

/** Whether an entitlement exists: one that does not has no members, which must not be mistaken for a result. */
export async function hasEntitlementRow(
  db: Reads,
  tenantId: number,
  { appId, id }: { appId: string; id: string },
): Promise<boolean> {
  const rows = await db`select 1 from entitlements e
    where e.tenant_id = ${tenantId} and e.app_id = ${appId} and e.entitlement_id = ${id} and e.deleted_at is null`
  return rows.length > 0
}

export type AccountFacts = {
  id: string
  appId: string
  displayName: string
  email: string
  emails: string[]
  username: string
  usernames: string[]
  employeeIds: string[]
  appUserType: string
  status: string
  identityUserId: string
  profile: { [key: string]: never }
}

export async function findAccountFacts(
  db: Reads,
  tenantId: number,
  { appId, id }: { appId: string; id: string },
): Promise<AccountFacts | null> {
  const [row] = await db<AccountFacts[]>`
    select a.account_id as id, a.app_id as "appId", a.display_name as "displayName", a.email, a.emails, a.username,
      a.usernames, a.employee_ids as "employeeIds", a.type as "appUserType", a.status,
      coalesce(a.user_id, '') as "identityUserId", a.profile
    from accounts a
    where a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.account_id = ${id} and a.deleted_at is null`
  return row ?? null
}

export type EntitlementFacts = {
  id: string
  appId: string
  displayName: string
  description: string
  slug: string
  alias: string
  purpose: string
  appResourceTypeId: string
  appResourceId: string
  riskLevelValueId: string
  complianceFrameworkValueIds: string[]
  isManuallyManaged: boolean
  emergencyGrantEnabled: boolean
}

export async function findEntitlementFacts(
  db: Reads,
  tenantId: number,
  { appId, id }: { appId: string; id: string },
): Promise<EntitlementFacts | null> {
  const [row] = await db<EntitlementFacts[]>`
    select e.entitlement_id as id, e.app_id as "appId", e.display_name as "displayName", e.description, e.slug, e.alias,
      e.purpose, coalesce(e.resource_type_id, '') as "appResourceTypeId", coalesce(e.resource_id, '') as "appResourceId",
      coalesce(e.risk_level_value_id, '') as "riskLevelValueId",
      e.compliance_framework_value_ids as "complianceFrameworkValueIds", e.is_manually_managed as "isManuallyManaged",
      e.is_emergency_enabled as "emergencyGrantEnabled"
    from entitlements e
    where e.tenant_id = ${tenantId} and e.app_id = ${appId} and e.entitlement_id = ${id}`
  return row ?? null
}

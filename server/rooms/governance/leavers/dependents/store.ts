import type { Reads } from '#kernel/sql.ts'

type Limited = { userId: string; limit: number }

export type Owned = {
  kind: string
  appId: string
  typeId: string
  id: string
  roleSlug: string
  name: string
  appName: string
  /** No other enabled user owns it in this role. */
  isOnlyOwner: boolean
}

/**
 * The objects that someone owns by name, and in which role. Uses `owners_by_user`: the cost depends only on what they own.
 */
export const listOwned = (db: Reads, tenantId: number, { userId, limit }: Limited): Promise<Owned[]> => db<Owned[]>`
  select o.kind, o.app_id as "appId", o.resource_type_id as "typeId", o.object_id as id, o.role_slug as "roleSlug",
    coalesce(case o.kind when 'app' then p.display_name when 'entitlement' then e.display_name
      when 'resource' then r.display_name when 'connector' then c.display_name
      when 'account' then coalesce(nullif(a.username, ''), a.display_name) when 'user' then s.display_name end, '') as name,
    coalesce(p.display_name, '') as "appName",
    not exists (select 1 from owners x
      left join users u on u.tenant_id = ${tenantId} and u.user_id = x.user_id
      where x.tenant_id = ${tenantId} and x.kind = o.kind and x.app_id = o.app_id
        and x.resource_type_id = o.resource_type_id and x.object_id = o.object_id and x.role_slug = o.role_slug
        and x.ended_at is null and x.owner_id <> o.owner_id
        and (x.entitlement_id is not null or (u.status = 'ENABLED' and u.deleted_at is null))) as "isOnlyOwner"
  from owners o
  left join apps p on p.tenant_id = ${tenantId} and p.app_id = o.app_id
  left join entitlements e on e.tenant_id = ${tenantId} and e.app_id = o.app_id and e.entitlement_id = o.object_id
  left join resources r on r.tenant_id = ${tenantId} and r.app_id = o.app_id
    and r.resource_type_id = o.resource_type_id and r.resource_id = o.object_id
  left join connectors c on c.tenant_id = ${tenantId} and c.connector_id = o.object_id
  left join accounts a on a.tenant_id = ${tenantId} and a.app_id = o.app_id and a.account_id = o.object_id
  left join users s on s.tenant_id = ${tenantId} and s.user_id = o.object_id
  where o.tenant_id = ${tenantId} and o.user_id = ${userId} and o.ended_at is null
  order by o.kind, o.app_id, o.resource_type_id, o.object_id, o.role_slug limit ${limit}`

const likeOf = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

export type NamingRule = {
  appId: string
  id: string
  entitlementName: string
  appName: string
  name: string
  expression: string
}

/**
 * Rules whose expressions name someone, by id, address or username. Every expression of the tenant is searched, which takes
 * milliseconds for some thousand rules.
 */
export const listRulesNaming = (
  db: Reads,
  tenantId: number,
  { names, limit }: { names: readonly string[]; limit: number },
): Promise<NamingRule[]> => db<NamingRule[]>`
  select m.app_id as "appId", m.entitlement_id as id, coalesce(e.display_name, '') as "entitlementName",
    coalesce(p.display_name, '') as "appName", m.display_name as name, m.expression
  from automations m
  left join entitlements e on e.tenant_id = ${tenantId} and e.app_id = m.app_id and e.entitlement_id = m.entitlement_id
  left join apps p on p.tenant_id = ${tenantId} and p.app_id = m.app_id
  where m.tenant_id = ${tenantId} and m.deleted_at is null
    and lower(m.expression) like any(${names.map((name) => likeOf(name.toLowerCase()))}::text[])
  order by m.app_id, m.entitlement_id limit ${limit}`

export type Excluding = { appId: string; id: string; entitlementName: string; appName: string }

/** Rules from which someone is excluded. */
export const listExclusions = (db: Reads, tenantId: number, { userId, limit }: Limited): Promise<Excluding[]> => db<
  Excluding[]
>`
  select x.app_id as "appId", x.entitlement_id as id, coalesce(e.display_name, '') as "entitlementName",
    coalesce(p.display_name, '') as "appName"
  from automation_exclusions x
  left join entitlements e on e.tenant_id = ${tenantId} and e.app_id = x.app_id and e.entitlement_id = x.entitlement_id
  left join apps p on p.tenant_id = ${tenantId} and p.app_id = x.app_id
  where x.tenant_id = ${tenantId} and x.user_id = ${userId}
  order by x.app_id, x.entitlement_id limit ${limit}`

export type Named = { id: string; name: string }

/** Policies that name someone in a step, a condition or their scope. */
export const listPoliciesNaming = (db: Reads, tenantId: number, { userId, limit }: Limited): Promise<Named[]> => db<
  Named[]
>`
  select p.policy_id as id, p.display_name as name from policies p
  where p.tenant_id = ${tenantId} and p.deleted_at is null
    and (p.steps::text like ${likeOf(userId)} or p.rules::text like ${likeOf(userId)})
  order by p.display_name, p.policy_id limit ${limit}`

export type NamingEntitlement = { appId: string; id: string; name: string; appName: string }

/** Entitlements that name someone to provision access. */
export const listProvisioned = (
  db: Reads,
  tenantId: number,
  { userId, limit }: Limited,
): Promise<NamingEntitlement[]> =>
  db<NamingEntitlement[]>`
  select e.app_id as "appId", e.entitlement_id as id, e.display_name as name, coalesce(p.display_name, '') as "appName"
  from entitlements e
  left join apps p on p.tenant_id = ${tenantId} and p.app_id = e.app_id
  where e.tenant_id = ${tenantId} and e.deleted_at is null
    and (e.provisioner is not null and e.provisioner::text like ${likeOf(userId)}
      or e.deprovisioner is not null and e.deprovisioner::text like ${likeOf(userId)})
  order by e.app_id, e.entitlement_id limit ${limit}`

export type Delegation = { userId: string; delegatedUserId: string; startAt: Date | null; expirationAt: Date | null }

/** The delegates of someone, and those who named them as delegate, now or later. */
export const listDelegations = (
  db: Reads,
  tenantId: number,
  { userId, limit, at }: Limited & { at: Date },
): Promise<Delegation[]> => db<Delegation[]>`
  select d.user_id as "userId", d.delegated_user_id as "delegatedUserId", d.start_at as "startAt",
    d.expiration_at as "expirationAt"
  from user_delegations d
  where d.tenant_id = ${tenantId} and (d.user_id = ${userId} or d.delegated_user_id = ${userId})
    and (d.expiration_at is null or d.expiration_at > ${at})
  order by d.user_id limit ${limit}`

export type Managed = Named & { jobTitle: string; hasOtherManager: boolean }

/** The enabled people whom someone manages, by `users_by_manager`. */
export const listManaged = (db: Reads, tenantId: number, { userId, limit }: Limited): Promise<Managed[]> => db<
  Managed[]
>`
  select u.user_id as id, u.display_name as name, u.job_title as "jobTitle",
    exists (select 1 from users m where m.tenant_id = ${tenantId} and m.user_id = any(u.manager_ids)
      and m.user_id <> ${userId} and m.status = 'ENABLED' and m.deleted_at is null) as "hasOtherManager"
  from users u
  where u.tenant_id = ${tenantId} and u.manager_ids @> array[${userId}]::text[] and u.status = 'ENABLED'
    and u.deleted_at is null
  order by u.display_name, u.user_id limit ${limit}`

/** Access profiles that someone created. */
export const listProfilesBy = (db: Reads, tenantId: number, { userId, limit }: Limited): Promise<Named[]> => db<
  Named[]
>`
  select f.profile_id as id, f.display_name as name from profiles f
  where f.tenant_id = ${tenantId} and f.created_by = ${userId} and f.deleted_at is null
  order by f.display_name, f.profile_id limit ${limit}`

/** Open steps of requests that wait for someone: counted up to a maximum. */
export async function countOpenSteps(db: Reads, tenantId: number, { userId, limit }: Limited): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (select 1 from task_assignees a
      where a.tenant_id = ${tenantId} and a.user_id = ${userId} limit ${limit}) x`
  return row?.count ?? 0
}

/** Valid API credentials: counted up to a maximum. */
export async function countCredentials(
  db: Reads,
  tenantId: number,
  { userId, limit, at }: Limited & { at: Date },
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (select 1 from credentials c
      where c.tenant_id = ${tenantId} and c.user_id = ${userId} and c.deleted_at is null
        and (c.expires_at is null or c.expires_at > ${at}) limit ${limit}) x`
  return row?.count ?? 0
}

import type { Reads } from '#kernel/sql.ts'
import type { Task } from '../../machine/record.ts'
import { columns } from '../../store.ts'

const likeOf = (id: string): string => `%${id.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** Open tasks whose current step is assigned to someone, those first that nobody else can decide or provision. */
export const listAssigned = (
  db: Reads,
  tenantId: number,
  userId: string,
  limit: number,
): Promise<(Task & { others: number })[]> => db<(Task & { others: number })[]>`
  select ${columns(db)}, (select count(*)::int from task_assignees o
      where o.tenant_id = ${tenantId} and o.task_id = t.task_id and o.user_id <> ${userId}) as others
  from task_assignees a
  join tasks t on t.tenant_id = ${tenantId} and t.task_id = a.task_id and t.is_open and t.deleted_at is null
  where a.tenant_id = ${tenantId} and a.user_id = ${userId}
  order by others, t.task_id limit ${limit}`

export async function countAssigned(
  db: Reads,
  tenantId: number,
  userId: string,
): Promise<{ all: number; only: number }> {
  const [row] = await db<{ all: number; only: number }[]>`
    select count(*)::int as all, count(*) filter (where not exists (select 1 from task_assignees o
      where o.tenant_id = ${tenantId} and o.task_id = a.task_id and o.user_id <> ${userId}))::int as only
    from task_assignees a where a.tenant_id = ${tenantId} and a.user_id = ${userId}`
  return row ?? { all: 0, only: 0 }
}

/** Open tasks about someone, or changes that they requested: they end with the person. */
export const listAbout = (db: Reads, tenantId: number, userId: string, limit: number): Promise<Task[]> => db<Task[]>`
  select ${columns(db)} from tasks t
  where t.tenant_id = ${tenantId} and t.subject_user_id = ${userId} and t.is_open and t.kind in ('grant', 'change')
    and t.deleted_at is null
  order by t.task_id limit ${limit}`

/** Policies that contain an id. */
export async function listPoliciesWith(db: Reads, tenantId: number, userId: string, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select p.policy_id as id from policies p
    where p.tenant_id = ${tenantId} and p.deleted_at is null and p.steps::text like ${likeOf(userId)}
    order by p.policy_id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Which kinds of change wait for approval under one of these policies. */
export async function listFourEyes(db: Reads, tenantId: number, policyIds: readonly string[]): Promise<string[]> {
  const rows = await db<{ kind: string }[]>`
    select f.kind from four_eyes f
    where f.tenant_id = ${tenantId} and f.policy_id = any(${policyIds}::text[]) order by f.kind`
  return rows.map(({ kind }) => kind)
}

export type DelegationRow = { userId: string; delegatedUserId: string; startAt: Date | null; expirationAt: Date | null }

/** The delegates of someone, and those who named them as delegate, now or later. */
export const listDelegations = (
  db: Reads,
  tenantId: number,
  userId: string,
  at: Date,
  limit: number,
): Promise<DelegationRow[]> => db<DelegationRow[]>`
  select d.user_id as "userId", d.delegated_user_id as "delegatedUserId", d.start_at as "startAt",
    d.expiration_at as "expirationAt"
  from user_delegations d
  where d.tenant_id = ${tenantId} and (d.user_id = ${userId} or d.delegated_user_id = ${userId})
    and (d.expiration_at is null or d.expiration_at > ${at})
  order by d.user_id limit ${limit}`

export type Ownership = { kind: string; appId: string; typeId: string; id: string; roleSlug: string; name: string }

/** The objects that someone owns by name, and that have no other owner who can act. */
export const listLastOwned = (db: Reads, tenantId: number, userId: string, limit: number): Promise<Ownership[]> => db<
  Ownership[]
>`
  select o.kind, o.app_id as "appId", o.resource_type_id as "typeId", o.object_id as id, o.role_slug as "roleSlug",
    coalesce(e.display_name, r.display_name, c.display_name, p.display_name, '') as name
  from owners o
  left join apps p on p.tenant_id = ${tenantId} and p.app_id = o.app_id
  left join entitlements e on e.tenant_id = ${tenantId} and e.app_id = o.app_id and e.entitlement_id = o.object_id
  left join resources r on r.tenant_id = ${tenantId} and r.app_id = o.app_id and r.resource_id = o.object_id
  left join connectors c on c.tenant_id = ${tenantId} and c.connector_id = o.object_id
  where o.tenant_id = ${tenantId} and o.user_id = ${userId} and o.ended_at is null
    and not exists (select 1 from owners x left join users u on u.tenant_id = ${tenantId} and u.user_id = x.user_id
      where x.tenant_id = ${tenantId} and x.kind = o.kind and x.app_id = o.app_id
        and x.resource_type_id = o.resource_type_id and x.object_id = o.object_id and x.role_slug = o.role_slug
        and x.ended_at is null and x.owner_id <> o.owner_id
        and (x.entitlement_id is not null or (u.status = 'ENABLED' and u.deleted_at is null)))
  order by o.kind, o.app_id, o.object_id limit ${limit}`

export async function countOwned(db: Reads, tenantId: number, userId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from owners o
    where o.tenant_id = ${tenantId} and o.user_id = ${userId} and o.ended_at is null`
  return row?.count ?? 0
}

export type ProvisionerRow = { appId: string; id: string; name: string; provisioner: unknown; deprovisioner: unknown }

/** Entitlements whose provisioner or deprovisioner names someone. */
export const listProvisioned = (
  db: Reads,
  tenantId: number,
  userId: string,
  limit: number,
): Promise<ProvisionerRow[]> => db<ProvisionerRow[]>`
  select e.app_id as "appId", e.entitlement_id as id, e.display_name as name, e.provisioner, e.deprovisioner
  from entitlements e
  where e.tenant_id = ${tenantId} and e.deleted_at is null
    and (e.provisioner is not null and e.provisioner::text like ${likeOf(userId)}
      or e.deprovisioner is not null and e.deprovisioner::text like ${likeOf(userId)})
  order by e.app_id, e.entitlement_id limit ${limit}`

export type ConnectorWork = {
  id: string
  appId: string
  appName: string
  kind: string
  state: string
  entitlementId: string
  entitlementName: string
}

/** What connectors still have to do to accounts of someone, including work whose result is unknown. */
export const listConnectorWork = (
  db: Reads,
  tenantId: number,
  userId: string,
  limit: number,
): Promise<ConnectorWork[]> => db<ConnectorWork[]>`
  select c.task_id as id, c.app_id as "appId", p.display_name as "appName", c.kind, c.state,
    c.entitlement_id as "entitlementId", coalesce(e.display_name, '') as "entitlementName"
  from accounts a
  join connector_tasks c on c.tenant_id = ${tenantId} and c.app_id = a.app_id and c.account_id = a.account_id
    and c.kind <> 'sync' and c.state in ('queued', 'leased', 'unknown')
  join apps p on p.tenant_id = ${tenantId} and p.app_id = c.app_id
  left join entitlements e on e.tenant_id = ${tenantId} and e.app_id = c.app_id and e.entitlement_id = c.entitlement_id
  where a.tenant_id = ${tenantId} and a.user_id = ${userId}
  order by c.task_id limit ${limit}`

export type CredentialRow = { id: string; displayName: string; lastUsedAt: Date | null; expiresAt: Date | null }

export const listCredentials = (
  db: Reads,
  tenantId: number,
  userId: string,
  at: Date,
  limit: number,
): Promise<CredentialRow[]> => db<CredentialRow[]>`
  select c.credential_id as id, c.display_name as "displayName", c.last_used_at as "lastUsedAt",
    c.expires_at as "expiresAt"
  from credentials c
  where c.tenant_id = ${tenantId} and c.user_id = ${userId} and c.deleted_at is null
    and (c.expires_at is null or c.expires_at > ${at})
  order by c.credential_id limit ${limit}`

/** How many people someone manages, and how many of these have no other manager. */
export async function countManaged(
  db: Reads,
  tenantId: number,
  userId: string,
): Promise<{ all: number; only: number }> {
  const [row] = await db<{ all: number; only: number }[]>`
    select count(*)::int as all, count(*) filter (where not exists (select 1 from users m
      where m.tenant_id = ${tenantId} and m.user_id = any(u.manager_ids) and m.user_id <> ${userId}
        and m.status = 'ENABLED' and m.deleted_at is null))::int as only
    from users u
    where u.tenant_id = ${tenantId} and ${userId} = any(u.manager_ids) and u.status = 'ENABLED' and u.deleted_at is null`
  return row ?? { all: 0, only: 0 }
}

import type { Tenancy } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'
import { deleteChanges } from '#rooms/foundation/writes/index.ts'
import type { EntitlementRef } from '../automation.ts'
import { allowMinutes } from '../rule/store.ts'

/** Tenants with users whose rules have to be evaluated again. */
export async function listTenantsWithChanges(db: Reads): Promise<Tenancy[]> {
  const ids = await listTenantsWith(
    db,
    (after) => db`select tenant_id from automation_changes where tenant_id > ${after}`,
  )
  if (ids.length === 0) return []
  return db<Tenancy[]>`
    select t.tenant_id as id, t.public_id as "publicId", t.domain from tenants t
    where t.tenant_id = any(${ids}::int[]) order by t.tenant_id`
}

/**
 * Drops changes that no rule reads. A rule that is being saved, and cannot be seen here yet, is run over everyone
 * afterwards: it then finds the result of these changes.
 */
export async function dropUnread(tx: Tx, tenantId: number): Promise<void> {
  await deleteChanges(
    tx,
    tenantId,
    tx`c.kind <> 'rule' and not case c.kind
      when 'user' then exists (select 1 from automations m where m.tenant_id = ${tenantId} and m.deleted_at is null
        and (c.fields is null or m.reads && c.fields))
      when 'manager' then exists (select 1 from automations m where m.tenant_id = ${tenantId} and m.deleted_at is null
        and 'manager' = any(m.reads))
      when 'account_new' then exists (select 1 from automation_reads r where r.tenant_id = ${tenantId}
        and r.app_id = c.app_id and r.entitlement_id = '')
      when 'account' then exists (select 1 from automation_reads r where r.tenant_id = ${tenantId}
        and r.app_id = c.app_id)
      else exists (select 1 from automation_reads r where r.tenant_id = ${tenantId} and r.app_id = c.app_id
        and (r.entitlement_id = c.entitlement_id or c.entitlement_id = '')
        and (not c.is_by_rule or r.by_app_id <> c.app_id or r.by_entitlement_id <> r.entitlement_id)) end`,
  )
}

/** The users that some accounts belong to. */
export async function listUsersOf(
  db: Reads,
  tenantId: number,
  accounts: readonly { appId: string; id: string }[],
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select distinct a.user_id as id
    from unnest(${accounts.map(({ appId }) => appId)}::text[], ${accounts.map(({ id }) => id)}::text[]) as w (app_id, id)
    join accounts a on a.tenant_id = ${tenantId} and a.app_id = w.app_id and a.account_id = w.id
    where a.user_id is not null`
  return rows.map(({ id }) => id)
}

/** Some of the users who have one of these managers. */
export async function listReportsOf(
  db: Reads,
  tenantId: number,
  managerIds: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select u.user_id as id from users u
    where u.tenant_id = ${tenantId} and u.manager_ids && ${managerIds}::text[] and u.deleted_at is null limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Deletes all changes that wait for all rules, without reading them. */
export async function dropWaiting(tx: Tx, tenantId: number): Promise<number> {
  await allowMinutes(tx)
  return deleteChanges(tx, tenantId, tx`c.kind <> 'rule'`)
}

export type StandingRow = EntitlementRef & { userId: string; hasFromRule: boolean; holds: boolean }

/**
 * What some users hold of the entitlements that have a rule: from their accounts to the grants of each. `offset 0` makes the
 * planner keep that order, even for tables that were never analyzed: otherwise it compared 3,000 grants with all accounts,
 * which took 7 s.
 */
export async function listStandings(
  db: Reads,
  tenantId: number,
  userIds: readonly string[],
  now: Date,
): Promise<StandingRow[]> {
  return db<StandingRow[]>`
    select a.user_id as "userId", g.app_id as "appId", g.entitlement_id as id,
      bool_or(g.source = 'rule') as "hasFromRule",
      bool_or(a.deleted_at is null and (g.expires_at is null or g.expires_at > ${now})) as holds
    from accounts a
    cross join lateral (select g.app_id, g.entitlement_id, g.source, g.expires_at from grants g
      where g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id and g.ended_at is null
      offset 0) g
    join automations m on m.tenant_id = ${tenantId} and m.app_id = g.app_id and m.entitlement_id = g.entitlement_id
      and m.deleted_at is null
    where a.tenant_id = ${tenantId} and a.user_id = any(${userIds}::text[])
    group by a.user_id, g.app_id, g.entitlement_id`
}

export type ExcludedRow = EntitlementRef & { userId: string }

/** The rules that exclude some users. */
export async function listExcludedOf(db: Reads, tenantId: number, userIds: readonly string[]): Promise<ExcludedRow[]> {
  return db<ExcludedRow[]>`
    select x.user_id as "userId", x.app_id as "appId", x.entitlement_id as id from automation_exclusions x
    where x.tenant_id = ${tenantId} and x.user_id = any(${userIds}::text[])`
}

/** Which of some users are enabled. */
export async function listEnabled(db: Reads, tenantId: number, userIds: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select u.user_id as id from users u
    where u.tenant_id = ${tenantId} and u.user_id = any(${userIds}::text[])
      and u.status = 'ENABLED' and u.deleted_at is null`
  return new Set(rows.map(({ id }) => id))
}

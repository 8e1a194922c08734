import type { Tenancy } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'
import type { EntitlementRef } from '../automation.ts'
import { allowMinutes } from '../rule/store.ts'

/**
 * The rooms' own work on a tenant's rules goes one transaction after the other, whichever server does it: what one has
 * read, another does not change before it is done. Requests take no part in this.
 */
export async function lockEngine(tx: Tx, tenantId: number): Promise<void> {
  await tx.unsafe(`set local lock_timeout = '60s'; set local bailiwick.runs_rules = 'on'`)
  await tx`select pg_advisory_xact_lock(${0x62616974}::int, ${tenantId}::int)`
}

/** Tenants in which someone is to be looked at again. */
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

/** How many users wait to be looked at by all rules; `limit` where there are more. */
export async function countWaiting(db: Reads, tenantId: number, limit: number): Promise<number> {
  // Some wait for several reasons, but hardly ever for more than these.
  const [row] = await db<{ count: number }[]>`
    select count(distinct c.user_id) from (
      select user_id from automation_changes where tenant_id = ${tenantId} and app_id = ''
      order by change_id limit ${limit * 4}) c`
  return Math.min(row?.count ?? 0, limit)
}

/** A user to look at again. Where a rule is named, only by that one, and because of what somebody did. */
export type Waiting = { userId: string; appId: string; entitlementId: string; changedBy: string }

/** Takes who waits; when the transaction commits, they wait no longer. */
export async function takeWaiting(tx: Tx, tenantId: number, rowsMax: number): Promise<Waiting[]> {
  return tx<Waiting[]>`
    delete from automation_changes where tenant_id = ${tenantId} and change_id in (
      select change_id from automation_changes where tenant_id = ${tenantId}
      order by change_id limit ${rowsMax} for update skip locked)
    returning user_id as "userId", app_id as "appId", entitlement_id as "entitlementId", changed_by as "changedBy"`
}

/** Takes all who wait for all rules, without a look at them. */
export async function dropWaiting(tx: Tx, tenantId: number): Promise<number> {
  await allowMinutes(tx)
  const { count } = await tx`delete from automation_changes where tenant_id = ${tenantId} and app_id = ''`
  return count
}

/** Has users looked at again by one rule. */
export async function insertChanges(
  tx: Tx,
  tenantId: number,
  { appId, id }: EntitlementRef,
  userIds: readonly string[],
  by: string,
): Promise<void> {
  await tx`
    insert into automation_changes (tenant_id, user_id, app_id, entitlement_id, changed_by)
    select ${tenantId}, u.id, ${appId}, ${id}, ${by} from unnest(${userIds}::text[]) as u (id)`
}

export type StandingRow = EntitlementRef & { userId: string; hasFromRule: boolean; holds: boolean }

/** What some users hold of the entitlements that have a rule. */
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
    join grants g on g.tenant_id = a.tenant_id and g.app_id = a.app_id and g.account_id = a.account_id
      and g.ended_at is null
    join automations m on m.tenant_id = g.tenant_id and m.app_id = g.app_id and m.entitlement_id = g.entitlement_id
      and m.deleted_at is null
    where a.tenant_id = ${tenantId} and a.user_id = any(${userIds}::text[])
    group by a.user_id, g.app_id, g.entitlement_id`
}

export type ExcludedRow = EntitlementRef & { userId: string }

/** By which rules some users are left alone. */
export async function listExcludedOf(db: Reads, tenantId: number, userIds: readonly string[]): Promise<ExcludedRow[]> {
  return db<ExcludedRow[]>`
    select x.user_id as "userId", x.app_id as "appId", x.entitlement_id as id from automation_exclusions x
    where x.tenant_id = ${tenantId} and x.user_id = any(${userIds}::text[])`
}

/** Who of some users is enabled. */
export async function listEnabled(db: Reads, tenantId: number, userIds: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select u.user_id as id from users u
    where u.tenant_id = ${tenantId} and u.user_id = any(${userIds}::text[])
      and u.status = 'ENABLED' and u.deleted_at is null`
  return new Set(rows.map(({ id }) => id))
}

import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'
import type { Problem, Round } from './decide.ts'

type Ref = { appId: string; entitlementId: string }

/**
 * Tenants in which a round continues or may begin: something was written to the system log, or the last one began too long
 * ago. Idle tenants, which are most of them, cost no separate statement.
 */
export async function listTenantsToCheck(db: Reads, startedBefore: Date): Promise<number[]> {
  const first = await listTenantsWith(
    db,
    (after) => db`
      select p.tenant_id from profiles p left join answerable_rounds r on r.tenant_id = p.tenant_id
      where p.is_published and p.deleted_at is null and r.tenant_id is null and p.tenant_id > ${after}`,
  )
  const again = await listTenantsWith(
    db,
    (after) => db`
      select r.tenant_id from answerable_rounds r left join systemlog_heads h on h.tenant_id = r.tenant_id
      where (r.finished_at is null or r.started_at <= ${startedBefore}
        or coalesce(h.seal_number, 0) <> r.seal_number) and r.tenant_id > ${after}`,
  )
  return [...new Set([...first, ...again])].toSorted((a, b) => a - b)
}

export type RoundRow = Round & { after: Ref; checked: number }

export async function findRound(db: Reads, tenantId: number): Promise<RoundRow | null> {
  const [row] = await db<(Round & Ref & { checked: number })[]>`
    select r.after_app_id as "appId", r.after_entitlement_id as "entitlementId", r.seal_number::float8 as "sealNumber",
      r.started_at as "startedAt", r.finished_at as "finishedAt", r.checked
    from answerable_rounds r where r.tenant_id = ${tenantId}`
  if (!row) return null
  const { appId, entitlementId, ...round } = row
  return { ...round, after: { appId, entitlementId } }
}

export async function beginRound(tx: Tx, tenantId: number, sealNumber: number, at: Date): Promise<void> {
  await tx`
    insert into answerable_rounds (tenant_id, seal_number, started_at) values (${tenantId}, ${sealNumber}, ${at})
    on conflict (tenant_id) do update set after_app_id = '', after_entitlement_id = '', seal_number = ${sealNumber},
      started_at = ${at}, finished_at = null, checked = 0`
}

/** Advances a round; false if another server has done so in the meantime. */
export async function moveRound(
  tx: Tx,
  tenantId: number,
  from: Ref,
  to: { after: Ref; checked: number; finishedAt: Date | null },
): Promise<boolean> {
  const { count } = await tx`
    update answerable_rounds set after_app_id = ${to.after.appId}, after_entitlement_id = ${to.after.entitlementId},
      checked = ${to.checked}, finished_at = ${to.finishedAt}
    where tenant_id = ${tenantId} and after_app_id = ${from.appId} and after_entitlement_id = ${from.entitlementId}
      and finished_at is null`
  return count === 1
}

/** What can be requested, in the order of apps and ids: the contents of published access profiles. */
export const listRequestables = (db: Reads, tenantId: number, after: Ref, limit: number): Promise<Ref[]> => db<Ref[]>`
  select e.app_id as "appId", e.entitlement_id as "entitlementId" from entitlements e
  where e.tenant_id = ${tenantId} and e.deleted_at is null
    and (e.app_id, e.entitlement_id) > (${after.appId}, ${after.entitlementId})
    and exists (select 1 from profile_entries r
      join profiles p on p.tenant_id = ${tenantId} and p.profile_id = r.profile_id and p.is_published
        and p.deleted_at is null
      where r.tenant_id = ${tenantId} and r.app_id = e.app_id and r.entitlement_id = e.entitlement_id)
  order by e.app_id, e.entitlement_id limit ${limit}`

export type Found = Ref & { problems: readonly Problem[] }

/** Replaces the problems between two places of the order. `to` is null for the end. */
export async function putProblems(
  tx: Tx,
  tenantId: number,
  { after, to }: { after: Ref; to: Ref | null },
  found: readonly Found[],
  at: Date,
): Promise<void> {
  const apps = found.map(({ appId }) => appId)
  const ids = found.map(({ entitlementId }) => entitlementId)
  await tx`
    delete from unanswerable u
    where u.tenant_id = ${tenantId} and (u.app_id, u.entitlement_id) > (${after.appId}, ${after.entitlementId})
      ${to ? tx`and (u.app_id, u.entitlement_id) <= (${to.appId}, ${to.entitlementId})` : tx``}
      and (u.app_id, u.entitlement_id) not in (select * from unnest(${apps}::text[], ${ids}::text[]))`
  if (found.length === 0) return
  await tx`
    insert into unanswerable (tenant_id, app_id, entitlement_id, problems, checked_at)
    select ${tenantId}, f.app_id, f.entitlement_id, f.problems::jsonb, ${at} from unnest(
      ${apps}::text[], ${ids}::text[], ${found.map(({ problems }) => JSON.stringify(problems))}::text[]
    ) as f (app_id, entitlement_id, problems)
    on conflict (tenant_id, app_id, entitlement_id) do update
      set problems = excluded.problems, checked_at = excluded.checked_at`
}

/**
 * People who can request something, and have no manager who could decide. Possible managers are hashed once: with a lookup
 * for each person it took five times as long for 20,000.
 */
export async function countUnmanaged(db: Reads, tenantId: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from users u
    where u.tenant_id = ${tenantId} and u.status = 'ENABLED' and u.deleted_at is null
      and not exists (select 1 from unnest(u.manager_ids) as n (id) where n.id in (
        select m.user_id::text from users m
        where m.tenant_id = ${tenantId} and m.status = 'ENABLED' and m.deleted_at is null))`
  return row?.count ?? 0
}

/** Some people who can request something: expressions are tried with them. */
export async function listSomePeople(db: Reads, tenantId: number, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select u.user_id as id from users u
    where u.tenant_id = ${tenantId} and u.status = 'ENABLED' and u.deleted_at is null order by u.user_id limit ${limit}`
  return rows.map(({ id }) => id)
}

export type Unanswerable = Found & { appName: string; name: string; checkedAt: Date }

export const listUnanswerable = (
  db: Reads,
  tenantId: number,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<Unanswerable[]> => {
  const [appId = '', id = ''] = (page.after ?? []) as string[]
  return db<Unanswerable[]>`
    select u.app_id as "appId", u.entitlement_id as "entitlementId", u.problems, u.checked_at as "checkedAt",
      p.display_name as "appName", e.display_name as name
    from unanswerable u
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = u.app_id and e.entitlement_id = u.entitlement_id
      and e.deleted_at is null
    join apps p on p.tenant_id = ${tenantId} and p.app_id = u.app_id and p.deleted_at is null
    where u.tenant_id = ${tenantId} and (u.app_id, u.entitlement_id) > (${appId}, ${id})
    order by u.app_id, u.entitlement_id limit ${page.limit}`
}

/** How many there are, up to a maximum, and for how many of them no request can be decided. */
export async function countUnanswerable(
  db: Reads,
  tenantId: number,
  max: number,
): Promise<{ total: number; forEveryone: number }> {
  const [row] = await db<{ total: number; forEveryone: number }[]>`
    select count(*)::int as total, (count(*) filter (where counted.is_for_everyone))::int as "forEveryone" from (
      select jsonb_path_exists(u.problems, '$[*] ? (@.people == 0)') as is_for_everyone from unanswerable u
      join entitlements e on e.tenant_id = ${tenantId} and e.app_id = u.app_id and e.entitlement_id = u.entitlement_id
        and e.deleted_at is null
      where u.tenant_id = ${tenantId} limit ${max}) counted`
  return row ?? { total: 0, forEveryone: 0 }
}

import type { Page } from '#kernel/pages.ts'
import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import type { HoldingRef } from '#rooms/records/grants/index.ts'
import type { Drift, DriftKind } from './drift.ts'

// The maximum number of differences kept per app: enough to see what is wrong. A wrong baseline would otherwise copy all
// grants.
const keptMax = 100_000

/**
 * A comparison needs higher limits than a request: it reads all open grants of an app, and may have to write the maximum
 * number of differences. 100,000 grants take 0.2 s of CPU time, 100,000 new differences 5 s.
 */
export async function setLimits(tx: Tx): Promise<void> {
  // One by one: Citus propagates a setting together with the whole text that was sent with it.
  await tx`set local statement_timeout = '4min'`
  await tx`set local work_mem = '64MB'`
}

type Compared = { appId: string; begunAt: Date; at: Date }

/**
 * Compares everything that an app's last sync found with everything that is granted for other reasons. Access through a
 * group is explained by the group; what was recorded, or provisioned, after the sync began may not have been seen by it;
 * what its connector still has to do is not missing yet. One pass over the open grants in the order of their index.
 */
export async function compareGrants(tx: Tx, tenantId: number, { appId, begunAt, at }: Compared): Promise<void> {
  await tx`
    with held as (
      select g.entitlement_id, g.account_id, bool_or(g.source = 'import') as is_found,
        bool_or(g.source <> 'import') as is_said, min(g.began_at) as began_at
      from grants g
      where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.ended_at is null
        and (g.expires_at is null or g.expires_at > ${at})
      group by g.entitlement_id, g.account_id
      having bool_or(g.source = 'import') <> bool_or(g.source <> 'import')
    ), truth as (
      select h.entitlement_id, h.account_id, case when h.is_found then 'unexplained' else 'missing' end as kind
      from held h
      where case when h.is_found
        then h.began_at > (select c.baseline_at from drift_checks c
            where c.tenant_id = ${tenantId} and c.app_id = ${appId})
          and not exists (select 1 from grant_sources s
            where s.tenant_id = ${tenantId} and s.app_id = ${appId} and s.entitlement_id = h.entitlement_id
              and s.account_id = h.account_id and s.source_entitlement_id <> h.entitlement_id)
        else h.began_at < ${begunAt}
          and not exists (select 1 from connector_tasks c
            where c.tenant_id = ${tenantId} and c.app_id = ${appId} and c.entitlement_id = h.entitlement_id
              and c.account_id = h.account_id and c.kind <> 'sync' and (c.state in ('queued', 'leased', 'unknown')
                or c.kind = 'grant' and c.state = 'done' and c.ended_at >= ${begunAt}))
          and not exists (select 1 from drift_run_items i
            join tasks t on t.tenant_id = ${tenantId} and t.task_id = i.task_id
            where i.tenant_id = ${tenantId} and i.app_id = ${appId} and i.entitlement_id = h.entitlement_id
              and i.account_id = h.account_id and i.state = 'done' and t.kind = 'grant' and t.outcome = 'done'
              and t.outcome_at >= ${begunAt}) end
      order by h.entitlement_id, h.account_id limit ${keptMax}
    ), gone as (
      delete from drift d
      where d.tenant_id = ${tenantId} and d.app_id = ${appId}
        and not exists (select 1 from truth t where t.entitlement_id = d.entitlement_id and t.account_id = d.account_id)
    )
    insert into drift (tenant_id, app_id, entitlement_id, account_id, kind, found_at)
    select ${tenantId}, ${appId}, t.entitlement_id, t.account_id, t.kind, ${at} from truth t
    on conflict (tenant_id, app_id, entitlement_id, account_id) do update
      set kind = excluded.kind, found_at = excluded.found_at where drift.kind <> excluded.kind`
}

/** The first comparison of an app sets its baseline. */
export async function putCheck(
  tx: Tx,
  tenantId: number,
  appId: string,
  { importedAt, at }: { importedAt: Date; at: Date },
): Promise<void> {
  await tx`
    insert into drift_checks (tenant_id, app_id, baseline_at, checked_at)
    values (${tenantId}, ${appId}, ${importedAt}, ${at})
    on conflict (tenant_id, app_id) do update set checked_at = greatest(drift_checks.checked_at, ${at})`
}

/**
 * Differences that still exist: the present sources of `d` match its kind. `w` shows whether it is being processed, or was
 * since the app was last compared.
 */
const stillSo = (db: Reads, tenantId: number, at: Date): Fragment => db`
  from drift d
  left join drift_checks c on c.tenant_id = ${tenantId} and c.app_id = d.app_id
  join apps p on p.tenant_id = ${tenantId} and p.app_id = d.app_id and p.deleted_at is null
  join entitlements e on e.tenant_id = ${tenantId} and e.app_id = d.app_id and e.entitlement_id = d.entitlement_id
    and e.deleted_at is null
  join accounts a on a.tenant_id = ${tenantId} and a.app_id = d.app_id and a.account_id = d.account_id
    and a.deleted_at is null
  cross join lateral (
    select array_agg(g.source order by g.source) as sources from grants g
    where g.tenant_id = ${tenantId} and g.app_id = d.app_id and g.entitlement_id = d.entitlement_id
      and g.account_id = d.account_id and g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})
  ) r
  cross join lateral (
    select exists (select 1 from connector_tasks k
        where k.tenant_id = ${tenantId} and k.app_id = d.app_id and k.entitlement_id = d.entitlement_id
          and k.account_id = d.account_id and k.kind <> 'sync'
          and k.kind = case d.kind when 'missing' then 'grant' else 'revoke' end
          and (k.state in ('queued', 'leased', 'unknown') or k.state = 'done' and k.ended_at >= c.checked_at))
      or d.kind = 'unexplained' and exists (select 1 from tasks t
        where t.tenant_id = ${tenantId} and t.kind = 'revoke' and t.is_open and t.app_id = d.app_id
          and t.entitlement_id = d.entitlement_id and t.subject_user_id = coalesce(a.user_id, '')
          and t.account_id in (d.account_id, ''))
      or d.kind = 'missing' and exists (select 1 from drift_run_items i
        join tasks t on t.tenant_id = ${tenantId} and t.task_id = i.task_id
        where i.tenant_id = ${tenantId} and i.app_id = d.app_id and i.entitlement_id = d.entitlement_id
          and i.account_id = d.account_id and i.state = 'done' and t.kind = 'grant'
          and (t.is_open or t.outcome = 'done' and t.outcome_at >= c.checked_at)) as is_under_way
  ) w
  where d.tenant_id = ${tenantId} and case d.kind when 'unexplained' then r.sources = '{import}'
    else not 'import' = any (r.sources) end`

const columns = (db: Reads, tenantId: number): Fragment => db`
  d.app_id as "appId", d.entitlement_id as "entitlementId", d.account_id as "accountId", d.kind,
  d.found_at as "foundAt", r.sources, w.is_under_way as "isUnderWay", p.display_name as "appName",
  e.display_name as "entitlementName", a.display_name as "accountName", coalesce(a.user_id, '') as "userId",
  coalesce((select u.display_name from users u
    where u.tenant_id = ${tenantId} and u.user_id = a.user_id and u.deleted_at is null), '') as "userName",
  a.user_id is null or exists (select 1 from users u
    where u.tenant_id = ${tenantId} and u.user_id = a.user_id and u.deleted_at is null and u.status = 'ENABLED')
    as "isUserAble"`

export type Wanted = {
  appId: string | null
  kind: DriftKind | null
  /** True for differences that are being processed, false for those that are not. */
  isUnderWay: boolean
}

export function listDrift(
  db: Reads,
  tenantId: number,
  { appId: ofApp, kind, isUnderWay }: Wanted,
  page: Pick<Page, 'after' | 'limit'>,
  at: Date,
): Promise<Drift[]> {
  const [appId = '', entitlementId = '', accountId = ''] = (page.after ?? []) as string[]
  return db<Drift[]>`
    select ${columns(db, tenantId)} ${stillSo(db, tenantId, at)} and w.is_under_way = ${isUnderWay}
      ${ofApp === null ? db`` : db`and d.app_id = ${ofApp}`} ${kind === null ? db`` : db`and d.kind = ${kind}`}
      and (d.app_id, d.entitlement_id, d.account_id) > (${appId}, ${entitlementId}, ${accountId})
    order by d.app_id, d.entitlement_id, d.account_id limit ${page.limit}`
}

export type Counted = { appId: string; appName: string; checkedAt: Date; unexplained: number; missing: number }

/** How many differences each compared app has, each counted up to a maximum. */
export const countDrift = (db: Reads, tenantId: number, max: number, at: Date): Promise<Counted[]> => db<Counted[]>`
  with differing as (
    select d.app_id, d.kind ${stillSo(db, tenantId, at)} and not w.is_under_way
    order by d.app_id, d.entitlement_id, d.account_id limit ${max})
  select c.app_id as "appId", p.display_name as "appName", c.checked_at as "checkedAt",
    (select count(*)::int from differing s where s.app_id = c.app_id and s.kind = 'unexplained') as unexplained,
    (select count(*)::int from differing s where s.app_id = c.app_id and s.kind = 'missing') as missing
  from drift_checks c
  join apps p on p.tenant_id = ${tenantId} and p.app_id = c.app_id and p.deleted_at is null
  where c.tenant_id = ${tenantId} order by p.display_name, c.app_id`

/** The differences of some refs that exist, in the order of their ids. */
export function findDrift(db: Reads, tenantId: number, refs: readonly HoldingRef[], at: Date): Promise<Drift[]> {
  return db<Drift[]>`
    select ${columns(db, tenantId)} ${stillSo(db, tenantId, at)}
      and (d.app_id, d.entitlement_id, d.account_id) in (select * from unnest(
        ${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ entitlementId }) => entitlementId)}::text[],
        ${refs.map(({ accountId }) => accountId)}::text[]))
    order by d.app_id, d.entitlement_id, d.account_id`
}

/** How many open grants an app has, counted up to a maximum. */
export async function countGrants(db: Reads, tenantId: number, appId: string, max: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from grants g where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.ended_at is null
      limit ${max}) x`
  return row?.count ?? 0
}

import type { Page } from '#kernel/pages.ts'
import type { Fragment, Reads } from '#kernel/sql.ts'
import { held, type Moment } from '#rooms/records/grants/index.ts'
import type { Cell, Group, Grouping } from './decide.ts'

/** What a user `u` is grouped by; empty where they have none. */
const groupOf = (db: Reads, { by, attribute }: Grouping): Fragment => {
  if (by === 'department') return db`u.department`
  if (by === 'job title') return db`u.job_title`
  if (by === 'manager') return db`coalesce(u.manager_ids[1], '')`
  return db`coalesce(u.profile ->> ${attribute}, '')`
}

const wasThere = (db: Reads, { at, isNow }: Moment): Fragment =>
  isNow ? db`u.deleted_at is null` : db`u.created_at <= ${at} and (u.deleted_at is null or u.deleted_at > ${at})`

type OfApp = { appId: string; grouping: Grouping; moment: Moment }

// What was held then was there, whatever the time of its creation says: that is when it was first recorded here.
const wasThen = (db: Reads, at: Date): Fragment =>
  db`(h.holders > 0 or (e.created_at <= ${at} and (e.deleted_at is null or e.deleted_at > ${at})))`

export type RankedEntitlement = { id: string; name: string; holders: number; total: number }

/** The entitlements of an app that most people hold, and how many there are in all. One scan of the grants of the app. */
export async function listRankedEntitlements(
  db: Reads,
  tenantId: number,
  { appId, moment }: Pick<OfApp, 'appId' | 'moment'>,
  limit: number,
): Promise<RankedEntitlement[]> {
  return db<RankedEntitlement[]>`
    select e.entitlement_id as id, e.display_name as name, coalesce(h.holders, 0)::int as holders,
      (count(*) over ())::int as total
    from entitlements e
    left join (
      select g.entitlement_id, count(distinct a.user_id) as holders
      from grants g
      join accounts a on a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.account_id = g.account_id
        and a.user_id is not null
      where g.tenant_id = ${tenantId} and g.app_id = ${appId} and ${held(db, moment)}
      group by g.entitlement_id) h on h.entitlement_id = e.entitlement_id
    where e.tenant_id = ${tenantId} and e.app_id = ${appId}
      and ${moment.isNow ? db`e.deleted_at is null` : wasThen(db, moment.at)}
    order by holders desc, e.display_name, e.entitlement_id limit ${limit}`
}

/** The groups whose people hold most of an app, by people; the size of each where the caller may know it. */
export async function listGroups(
  db: Reads,
  tenantId: number,
  { appId, grouping, moment }: OfApp,
  { limit, hasSizes }: { limit: number; hasSizes: boolean },
): Promise<(Group & { total: number })[]> {
  return db<(Group & { total: number })[]>`
    with holding as (
      select distinct a.user_id from grants g
      join accounts a on a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.account_id = g.account_id
        and a.user_id is not null
      where g.tenant_id = ${tenantId} and g.app_id = ${appId} and ${held(db, moment)})
    select s."group", s.holders, s.size, (count(*) over ())::int as total from (
      select ${groupOf(db, grouping)} as "group", count(h.user_id)::int as holders,
        ${hasSizes ? db`(count(*) filter (where ${wasThere(db, moment)}))::int` : db`null::int`} as size
      from users u
      left join holding h on h.user_id = u.user_id
      where u.tenant_id = ${tenantId}
      group by 1) s
    where s.holders > 0
    order by s.holders desc, s."group" limit ${limit}`
}

/** How many people of each group hold each of some entitlements; all other groups as one, which is null. */
export async function listCells(
  db: Reads,
  tenantId: number,
  { appId, grouping, moment }: OfApp,
  { entitlementIds, groups }: { entitlementIds: readonly string[]; groups: readonly string[] },
): Promise<(Omit<Cell, 'group'> & { group: string | null })[]> {
  if (entitlementIds.length === 0) return []
  return db<(Omit<Cell, 'group'> & { group: string | null })[]>`
    select x.entitlement_id as "entitlementId",
      case when x."group" = any(${groups}::text[]) then x."group" end as "group", count(*)::int as count
    from (
      select distinct g.entitlement_id, a.user_id, ${groupOf(db, grouping)} as "group"
      from grants g
      join accounts a on a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.account_id = g.account_id
      join users u on u.tenant_id = ${tenantId} and u.user_id = a.user_id
      where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = any(${entitlementIds}::text[])
        and ${held(db, moment)}) x
    group by 1, 2`
}

export type HoldingThen = {
  appId: string
  entitlementId: string
  accountId: string
  grantedAt: Date
  expiresAt: Date | null
}

/** Who of a group holds an entitlement, by account. */
export async function listMembersOfGroup(
  db: Reads,
  tenantId: number,
  { appId, grouping, moment, entitlementId, value }: OfApp & { entitlementId: string; value: string },
  page: Pick<Page, 'after' | 'limit'>,
): Promise<HoldingThen[]> {
  return db<HoldingThen[]>`
    select g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId",
      min(g.granted_at) as "grantedAt",
      case when bool_or(g.expires_at is null) then null else max(g.expires_at) end as "expiresAt"
    from grants g
    join accounts a on a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.account_id = g.account_id
    join users u on u.tenant_id = ${tenantId} and u.user_id = a.user_id
    where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${entitlementId}
      and g.account_id > ${page.after?.[0] ?? ''} and ${held(db, moment)} and ${groupOf(db, grouping)} = ${value}
    group by g.app_id, g.entitlement_id, g.account_id
    order by g.account_id limit ${page.limit}`
}

import type { Page } from '#kernel/pages.ts'
import type { Fragment, Reads } from '#kernel/sql.ts'
import { type ChangeKind, changeKinds, type GrantChange, type ReasonThen, type Scope, type Span } from '../change.ts'
import type { Buckets } from '../decide.ts'

type PageAsked = Pick<Page, 'after' | 'limit'>

/** Whether a grant was held at a moment: like `held` of the grants, under any alias. */
const covers = (db: Reads, alias: 'g' | 'o', at: Date): Fragment => {
  const row = db.unsafe(alias)
  return db`${row}.began_at <= ${at} and (${row}.ended_at is null or ${row}.ended_at > ${at})
    and (${row}.expires_at is null or ${row}.expires_at > ${at})`
}

/** One way in which a grant begins or ends between the moments: each is read by an index in the order of the list. */
type Way = {
  by: Fragment
  where: Fragment
  kind: 'added' | 'removed'
  /** There are so few in the whole tenant that those of an app are searched among them, and not for each entitlement. */
  areFew?: true
}

const begins = (db: Reads, { from, to }: Span): Way => ({
  kind: 'added',
  by: db`g.began_at`,
  where: db`and g.began_at > ${from} and g.began_at <= ${to} and ${covers(db, 'g', to)}`,
})

/**
 * No grant is held after it expires, even if it was not ended at that time: ends are found by `ended_at`, or by `expires_at`
 * if that came first, which is rare.
 */
const ends = (db: Reads, { from, to }: Span): Way[] => [
  {
    kind: 'removed',
    by: db`g.ended_at`,
    where: db`and g.ended_at is not null and g.ended_at > ${from} and g.ended_at <= ${to}
      and (g.expires_at is null or g.expires_at >= g.ended_at) and g.began_at <= ${from}`,
  },
  {
    kind: 'removed',
    areFew: true,
    by: db`g.expires_at`,
    where: db`and g.ended_at is null and g.expires_at > ${from} and g.expires_at <= ${to} and g.began_at <= ${from}`,
  },
  {
    kind: 'removed',
    areFew: true,
    by: db`g.expires_at`,
    where: db`and g.ended_at > g.expires_at and g.expires_at > ${from} and g.expires_at <= ${to}
      and g.began_at <= ${from}`,
  },
]

/** What is held at both moments for different reasons is found both by grants that began and by grants that ended. */
const waysOf = (db: Reads, span: Span, kinds: readonly ChangeKind[]): Way[] => [
  ...(kinds.includes('added') || kinds.includes('changed') ? [begins(db, span)] : []),
  ...(kinds.includes('removed') || kinds.includes('changed') ? ends(db, span) : []),
]

/**
 * Combines the rows of a holding, by one probe of their index for each row that is read: whether it is held at each of the
 * moments, for which reasons, and whether another of its rows begins or ends later between them, so that it is listed once.
 * The order is that of the primary key: of 3,000 grants without statistics, PostgreSQL read all for each one by another
 * index, for 15 s; by this one it takes 0.1 s.
 */
function together(db: Reads, tenantId: number, { from, to }: Span): Fragment {
  const reason = db`concat_ws('|', o.source, o.granted_by, extract(epoch from o.granted_at),
    extract(epoch from o.expires_at))`
  const end = db`least(o.ended_at, o.expires_at)`
  return db`
    select coalesce(bool_or(${covers(db, 'o', from)}), false) as was_held,
      coalesce(bool_or(${covers(db, 'o', to)}), false) as is_held,
      array_agg(${reason} order by o.source, o.grant_id) filter (where ${covers(db, 'o', from)}) as before,
      array_agg(${reason} order by o.source, o.grant_id) filter (where ${covers(db, 'o', to)}) as after,
      coalesce(bool_or(${covers(db, 'o', to)} and o.began_at > ${from}
        and (o.began_at, o.grant_id) > (g.at, g.grant_id)), false) as begins_later,
      coalesce(bool_or(${covers(db, 'o', from)} and ${end} <= ${to}
        and (${end}, o.grant_id) > (g.at, g.grant_id)), false) as ends_later
    from (
      select o.* from grants o
      where o.tenant_id = ${tenantId} and o.app_id = g.app_id and o.entitlement_id = g.entitlement_id
        and o.account_id = g.account_id
      order by o.grant_id offset 0) o
    offset 0`
}

/** How the holding of a row `g` changed, by its combined rows `t`; null if another of its rows lists the change. */
const changeOf = (db: Reads, { kind }: Pick<Way, 'kind'>): Fragment => db`case
  when ${kind === 'added' ? db`not t.was_held and not t.begins_later` : db`not t.is_held and not t.ends_later`} then ${kind}::text
  when t.was_held and t.is_held and t.before is distinct from t.after and not t.begins_later and not t.ends_later
    then 'changed' end`

type Asked = { scope: Scope; span: Span }

/** The latest rows of one way, driven by the ids in the scope: limited for each account or entitlement, and in total. */
function latest(
  db: Reads,
  tenantId: number,
  scope: Scope,
  { by, where, areFew }: Way,
  { after, limit }: PageAsked,
): Fragment {
  const [at, id] = (after ?? []) as string[]
  const rows = (driven: Fragment, from = db`grants g`): Fragment => db`
    select g.app_id, g.entitlement_id, g.account_id, g.grant_id, ${by} as at from ${from}
    where g.tenant_id = ${tenantId} ${driven} ${where}
      ${at === undefined ? db`` : db`and (${by}, g.grant_id) < (${at}::timestamptz, ${id as string})`}
    order by ${by} desc, g.grant_id desc limit ${limit}`
  if (scope.kind === 'tenant') return rows(db``)
  if (scope.kind === 'entitlement') return rows(db`and g.app_id = ${scope.appId} and g.entitlement_id = ${scope.id}`)
  if (scope.kind === 'app' && areFew) return rows(db`and g.app_id = ${scope.appId}`)
  if (scope.kind === 'app')
    return db`
      select x.* from entitlements e
      cross join lateral (${rows(db`and g.app_id = ${scope.appId} and g.entitlement_id = e.entitlement_id`)}) x
      where e.tenant_id = ${tenantId} and e.app_id = ${scope.appId}
      order by x.at desc, x.grant_id desc limit ${limit}`
  // All grants of each account are read (`offset 0`): by the times of its app, the whole app was read for each of 1,000
  // accounts.
  const ownRecord = db`(select h.* from grants h
    where h.tenant_id = ${tenantId} and h.app_id = w.app_id and h.account_id = w.account_id
    order by h.entitlement_id offset 0) g`
  return db`
    select x.* from unnest(
      ${scope.accounts.map(({ appId }) => appId)}::text[], ${scope.accounts.map((each) => each.id)}::text[]
    ) as w (app_id, account_id)
    cross join lateral (${rows(db``, ownRecord)}) x
    order by x.at desc, x.grant_id desc limit ${limit}`
}

/**
 * How many rows of each way are read for one page, or for the counts. If few holdings changed among very many rows that
 * began and ended, a page ends before it is full, with the position where the next one continues.
 */
export const lookedMax = 10_000

/** A page of changes; `stoppedAt` if it ends before it is full, though there may be more. */
export type GrantChanges = { rows: GrantChange[]; stoppedAt: [at: string, id: string] | null }

/** What is held at only one of two moments, or differently at each: the latest first. */
export async function listGrantChanges(
  db: Reads,
  tenantId: number,
  { scope, span }: Asked,
  kinds: readonly ChangeKind[],
  page: PageAsked,
): Promise<GrantChanges> {
  const ways = waysOf(db, span, kinds)
  const looked = { after: page.after, limit: lookedMax }
  const branches = ways.map(
    (way, place) => db`
      ${place === 0 ? db`` : db`union all`} (
      select g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId", g.at, g.grant_id as id, k.change,
        ${place}::int as way
      from (${latest(db, tenantId, scope, way, looked)}) g
      cross join lateral (${together(db, tenantId, span)}) t
      cross join lateral (select ${changeOf(db, way)} as change) k
      where k.change = any(${kinds}::text[])
      order by g.at desc, g.grant_id desc limit ${page.limit})`,
  )
  const found = await db<(GrantChange & { way: number })[]>`
    select * from (${branches}) changes order by at desc, id desc limit ${ways.length * page.limit}`
  // A way that filled a page alone was not read to its end.
  const ended = ways.filter((_, place) => found.filter(({ way }) => way === place).length < page.limit)
  const stop = ended.length > 0 ? await findStop(db, tenantId, scope, ended, looked) : null
  const rows = (stop ? found.filter((row) => isBefore(row, stop)) : found).slice(0, page.limit)
  return { rows, stoppedAt: rows.length < page.limit ? stop : null }
}

const isBefore = ({ at, id }: GrantChange, [stopAt, stopId]: [string, string]): boolean =>
  at.toISOString() > stopAt || (at.toISOString() === stopAt && id >= stopId)

/** The last row that was read, of the way that was read least far; null if all were read to the end. */
async function findStop(
  db: Reads,
  tenantId: number,
  scope: Scope,
  ways: readonly Way[],
  looked: PageAsked,
): Promise<[string, string] | null> {
  const lasts = ways.map(
    (way, place) => db`
      ${place === 0 ? db`` : db`union all`} (
      select g.at, g.grant_id as id from (${latest(db, tenantId, scope, way, looked)}) g
      order by g.at desc, g.grant_id desc offset ${looked.limit - 1} limit 1)`,
  )
  const [last] = await db<{ at: Date; id: string }[]>`
    select * from (${lasts}) lasts order by at desc, id desc limit 1`
  return last ? [last.at.toISOString(), last.id] : null
}

export type BucketCount = { change: ChangeKind; bucket: number; count: number }
/** How many changes there are of each kind, by the time of each; and of which kinds there may be more. */
export type GrantCounts = { counts: BucketCount[]; more: ReadonlySet<ChangeKind> }

/**
 * Counts changes among the latest rows that began and that ended. The cost is one probe of an index for each of these,
 * however many rows there are in total.
 */
export async function countGrantChanges(
  db: Reads,
  tenantId: number,
  { scope, span }: Asked,
  buckets: Buckets,
): Promise<GrantCounts> {
  const counts: BucketCount[] = []
  const more = new Set<ChangeKind>()
  for (const way of waysOf(db, span, changeKinds)) {
    const rows = await db<{ change: ChangeKind | null; bucket: number; count: number; looked: number }[]>`
      with looked as materialized (${latest(db, tenantId, scope, way, { after: null, limit: lookedMax + 1 })})
      select k.change, floor((extract(epoch from g.at) - ${buckets.beginsAt.getTime() / 1000}::float8)
        / ${buckets.ms / 1000}::float8)::int as bucket, count(*)::int as count, (select count(*)::int from looked) as looked
      from looked g
      cross join lateral (${together(db, tenantId, span)}) t
      cross join lateral (select ${changeOf(db, way)} as change) k
      group by 1, 2`
    for (const { change, bucket, count } of rows) if (change) counts.push({ change, bucket, count })
    if ((rows[0]?.looked ?? 0) > lookedMax) more.add(way.kind).add('changed')
  }
  return { counts, more }
}

// At each moment there is at most one row of each of six sources.
const rowsOfOne = 12

/** The reasons for which each of these was held at the first moment, and at the second. */
export async function listReasonsThen(
  db: Reads,
  tenantId: number,
  { from, to }: Span,
  holdings: readonly Pick<GrantChange, 'appId' | 'entitlementId' | 'accountId'>[],
): Promise<ReasonThen[]> {
  if (holdings.length === 0) return []
  return db<ReasonThen[]>`
    select * from (
      select g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId", g.grant_id as "grantId",
        g.source, g.granted_by as "grantedBy", g.granted_at as "grantedAt", g.began_at as "beganAt",
        g.expires_at as "expiresAt", g.ended_at as "endedAt", g.ended_by as "endedBy", g.ended_why as "endedWhy",
        (${covers(db, 'g', from)}) as "wasHeld", (${covers(db, 'g', to)}) as "isHeld"
      from unnest(
        ${holdings.map(({ appId }) => appId)}::text[],
        ${holdings.map(({ entitlementId }) => entitlementId)}::text[],
        ${holdings.map(({ accountId }) => accountId)}::text[]
      ) as w (app_id, entitlement_id, account_id)
      join grants g on g.tenant_id = ${tenantId} and g.app_id = w.app_id and g.entitlement_id = w.entitlement_id
        and g.account_id = w.account_id
    ) r
    where r."wasHeld" or r."isHeld"
    order by r."grantedAt", r.source limit ${holdings.length * rowsOfOne}`
}

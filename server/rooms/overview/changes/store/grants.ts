import type { Page } from '#kernel/pages.ts'
import type { Fragment, Reads } from '#kernel/sql.ts'
import type { ChangeKind, GrantChange, ReasonThen, Scope, Span } from '../change.ts'
import type { Buckets } from '../decide.ts'

type PageAsked = Pick<Page, 'after' | 'limit'>

/** Whether a row of the record holds at a moment: as `held` of the grants, under any alias. */
const covers = (db: Reads, alias: 'g' | 'o', at: Date): Fragment => {
  const row = db.unsafe(alias)
  return db`${row}.began_at <= ${at} and (${row}.ended_at is null or ${row}.ended_at > ${at})
    and (${row}.expires_at is null or ${row}.expires_at > ${at})`
}

/** One way in which a row of the record begins or ends between the moments: each by an index in the order of the list. */
type Way = { by: Fragment; where: Fragment }

const begins = (db: Reads, { from, to }: Span): Way => ({
  by: db`g.began_at`,
  where: db`and g.began_at > ${from} and g.began_at <= ${to} and ${covers(db, 'g', to)}`,
})

/**
 * Nothing is held beyond its time, whether it was ended then or not (yet): what ends is found by `ended_at`, or by `expires_at`
 * where that came first, which is rare.
 */
const ends = (db: Reads, { from, to }: Span): Way[] => [
  {
    by: db`g.ended_at`,
    where: db`and g.ended_at is not null and g.ended_at > ${from} and g.ended_at <= ${to}
      and (g.expires_at is null or g.expires_at >= g.ended_at) and g.began_at <= ${from}`,
  },
  {
    by: db`g.expires_at`,
    where: db`and g.ended_at is null and g.expires_at > ${from} and g.expires_at <= ${to} and g.began_at <= ${from}`,
  },
  {
    by: db`g.expires_at`,
    where: db`and g.ended_at > g.expires_at and g.expires_at > ${from} and g.expires_at <= ${to}
      and g.began_at <= ${from}`,
  },
]

/**
 * What the rows of a holding say together, by one probe of their index for each row that is looked at: whether it is held at each of
 * the moments, for which reasons, and whether another of its rows begins or ends later between them, so that it is told once.
 * The order is that of the primary key: of 3,000 grants that PostgreSQL had not counted yet, it read all for each one by another index,
 * for 15 s; by this one it takes 0.1 s.
 */
function together(db: Reads, tenantId: number, { from, to }: Span, by: Fragment): Fragment {
  const reason = db`concat_ws('|', o.source, o.granted_by, extract(epoch from o.granted_at),
    extract(epoch from o.expires_at))`
  const end = db`least(o.ended_at, o.expires_at)`
  return db`
    select coalesce(bool_or(${covers(db, 'o', from)}), false) as was_held,
      coalesce(bool_or(${covers(db, 'o', to)}), false) as is_held,
      array_agg(${reason} order by o.source, o.grant_id) filter (where ${covers(db, 'o', from)}) as before,
      array_agg(${reason} order by o.source, o.grant_id) filter (where ${covers(db, 'o', to)}) as after,
      coalesce(bool_or(${covers(db, 'o', to)} and o.began_at > ${from}
        and (o.began_at, o.grant_id) > (${by}, g.grant_id)), false) as begins_later,
      coalesce(bool_or(${covers(db, 'o', from)} and ${end} <= ${to}
        and (${end}, o.grant_id) > (${by}, g.grant_id)), false) as ends_later
    from (
      select o.* from grants o
      where o.tenant_id = ${tenantId} and o.app_id = g.app_id and o.entitlement_id = g.entitlement_id
        and o.account_id = g.account_id
      order by o.grant_id offset 0) o
    offset 0`
}

const isKind = (db: Reads, kind: ChangeKind): Fragment =>
  ({
    added: db`not t.was_held and not t.begins_later`,
    removed: db`not t.is_held and not t.ends_later`,
    changed: db`t.was_held and t.is_held and t.before is distinct from t.after
      and not t.begins_later and not t.ends_later`,
  })[kind]

const waysOf = (db: Reads, span: Span, kind: ChangeKind): Way[] =>
  kind === 'added' ? [begins(db, span)] : kind === 'removed' ? ends(db, span) : [begins(db, span), ...ends(db, span)]

/** The latest of one way, driven by what the scope names: of each account or entitlement no more than is asked for. */
function latest(
  db: Reads,
  tenantId: number,
  { scope, span }: { scope: Scope; span: Span },
  { kind, by, where }: Way & { kind: ChangeKind },
  { after, limit }: PageAsked,
): Fragment {
  const [at, id] = (after ?? []) as string[]
  const rows = (driven: Fragment): Fragment => db`
    select g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId",
      ${by} as at, g.grant_id as id, ${kind}::text as change
    from grants g
    cross join lateral (${together(db, tenantId, span, by)}) t
    where g.tenant_id = ${tenantId} ${driven} ${where} and ${isKind(db, kind)}
      ${at === undefined ? db`` : db`and (${by}, g.grant_id) < (${at}::timestamptz, ${id as string})`}
    order by ${by} desc, g.grant_id desc limit ${limit}`
  if (scope.kind === 'tenant') return rows(db``)
  if (scope.kind === 'entitlement') return rows(db`and g.app_id = ${scope.appId} and g.entitlement_id = ${scope.id}`)
  if (scope.kind === 'app')
    return db`
      select x.* from entitlements e
      cross join lateral (${rows(db`and g.app_id = ${scope.appId} and g.entitlement_id = e.entitlement_id`)}) x
      where e.tenant_id = ${tenantId} and e.app_id = ${scope.appId}
      order by x.at desc, x.id desc limit ${limit}`
  return db`
    select x.* from unnest(
      ${scope.accounts.map(({ appId }) => appId)}::text[], ${scope.accounts.map((each) => each.id)}::text[]
    ) as w (app_id, account_id)
    cross join lateral (${rows(db`and g.app_id = w.app_id and g.account_id = w.account_id`)}) x
    order by x.at desc, x.id desc limit ${limit}`
}

const allOf = (
  db: Reads,
  tenantId: number,
  scope: Scope,
  span: Span,
  kinds: readonly ChangeKind[],
  page: PageAsked,
): Fragment[] =>
  kinds
    .flatMap((kind) => waysOf(db, span, kind).map((way) => ({ ...way, kind })))
    .map(
      (way, place) => db`${place === 0 ? db`` : db`union all`} (${latest(db, tenantId, { scope, span }, way, page)})`,
    )

/** What is held at one of two moments and not at the other, or otherwise: the latest first. */
export async function listGrantChanges(
  db: Reads,
  tenantId: number,
  scope: Scope,
  span: Span,
  kinds: readonly ChangeKind[],
  page: PageAsked,
): Promise<GrantChange[]> {
  return db<GrantChange[]>`
    select * from (${allOf(db, tenantId, scope, span, kinds, page)}) changes order by at desc, id desc limit ${page.limit}`
}

export type BucketCount = { bucket: number; count: number }

/**
 * How many changes of a kind there are, by the time of each; of the latest `max` and one more. It costs what these cost, however
 * many there are: one probe of an index for each.
 */
export async function countGrantChanges(
  db: Reads,
  tenantId: number,
  scope: Scope,
  span: Span,
  kind: ChangeKind,
  { buckets, max }: { buckets: Buckets; max: number },
): Promise<BucketCount[]> {
  const page = { after: null, limit: max + 1 }
  return db<BucketCount[]>`
    select floor((extract(epoch from x.at) - ${buckets.beginsAt.getTime() / 1000}::float8) / ${buckets.ms / 1000}::float8)::int
      as bucket, count(*)::int as count
    from (select at from (${allOf(db, tenantId, scope, span, [kind], page)}) ways order by at desc limit ${page.limit}) x
    group by 1 order by 1`
}

// At one moment there is at most one row of each of six sources.
const rowsOfOne = 12

/** The reasons for which each of these was held at the first moment, and is at the second. */
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

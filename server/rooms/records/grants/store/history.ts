import type { Page } from '#kernel/pages.ts'
import type { Reads } from '#kernel/sql.ts'
import type { AccountRef } from '#rooms/records/accounts/index.ts'
import type { EntitlementRef, GrantSource, HoldingRef, Moment, Reason } from '../grant.ts'

type PageAsked = Pick<Page, 'after' | 'limit'>
type Fragment = ReturnType<typeof refColumns>

/** Who holds or ever held an entitlement, by account: from each source the last row that had begun. */
export async function listEverHeld(
  db: Reads,
  tenantId: number,
  { appId, id }: EntitlementRef,
  { at }: Moment,
  page: PageAsked,
): Promise<Reason[]> {
  return db<Reason[]>`
    with paged as (
      select g.account_id from grants g
      where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${id}
        and g.account_id > ${page.after?.[0] ?? ''} and g.began_at <= ${at}
      group by g.account_id order by g.account_id limit ${page.limit}
    )
    select distinct on (g.account_id, g.source) g.account_id as "accountId", g.source, g.granted_by as "grantedBy",
      g.granted_at as "grantedAt", g.began_at as "beganAt", g.expires_at as "expiresAt",
      g.reason, case when least(g.ended_at, g.expires_at) <= ${at} then least(g.ended_at, g.expires_at) end as "endedAt"
    from paged p
    join grants g on g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${id}
      and g.account_id = p.account_id and g.began_at <= ${at}
    order by g.account_id, g.source, g.began_at desc, g.ended_at desc nulls first, g.grant_id desc`
}

/** Null filters nothing. */
export type HistoryFilter = {
  accounts: readonly AccountRef[] | null
  entitlements: readonly EntitlementRef[] | null
  appIds: readonly string[] | null
}

/**
 * The latest rows `g` by one of their times, for a page. Starts from the accounts or the entitlements if these are given:
 * from each it reads no more than the page holds, by an index that is in this order or covers few rows.
 */
function latest(
  db: Reads,
  tenantId: number,
  { accounts, entitlements, appIds }: HistoryFilter,
  { columns, by, where }: Record<'columns' | 'by' | 'where', Fragment>,
  page: PageAsked,
) {
  const [pageAt, pageId] = (page.after ?? []) as string[]
  const columnsOf = (refs: readonly { appId: string; id: string }[]) =>
    db`unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[])`
  const rows = (driven: Fragment) => db`
    select ${columns}, ${by} as at, g.grant_id as id from grants g
    where g.tenant_id = ${tenantId} ${driven} ${where}
      ${appIds ? db`and g.app_id = any(${appIds}::text[])` : db``}
      ${accounts && entitlements ? db`and (g.app_id, g.entitlement_id) in (select * from ${columnsOf(entitlements)})` : db``}
      ${pageAt === undefined ? db`` : db`and (${by}, g.grant_id) < (${pageAt}::timestamptz, ${pageId as string})`}
    order by ${by} desc, g.grant_id desc limit ${page.limit}`
  if (!accounts && !entitlements) return rows(db``)
  const drivers = [...new Map((accounts ?? entitlements ?? []).map((ref) => [`${ref.appId} ${ref.id}`, ref])).values()]
  const key = accounts ? db`g.account_id` : db`g.entitlement_id`
  return db`
    select x.* from ${columnsOf(drivers)} as w (app_id, id)
    cross join lateral (${rows(db`and g.app_id = w.app_id and ${key} = w.id`)}) x
    order by x.at desc, x.id desc limit ${page.limit}`
}

const refColumns = (db: Reads) =>
  db`g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId"`

export type FeedEvent = HoldingRef & {
  id: string
  at: Date
  kind: 'added' | 'removed'
  source: GrantSource
  /** Who or what granted or ended it. */
  by: string
  /** Why it was removed. */
  why: 'revoked' | 'expired' | 'restated' | ''
  reason: string
}
export type Span = { after: Date | null; before: Date | null }

/**
 * When accounts started and stopped holding something, latest first. Rows that follow or overlap one another are one period:
 * new terms, or a second reason, neither grant nor revoke anything.
 */
export async function listFeed(
  db: Reads,
  tenantId: number,
  filter: HistoryFilter,
  { after, before }: Span,
  page: PageAsked,
): Promise<FeedEvent[]> {
  const within = (column: Fragment) =>
    db`${after ? db`and ${column} > ${after}` : db``} ${before ? db`and ${column} < ${before}` : db``}`
  const other = db`o.tenant_id = ${tenantId} and o.app_id = g.app_id and o.entitlement_id = g.entitlement_id
    and o.account_id = g.account_id and o.grant_id <> g.grant_id and (o.ended_at is null or o.ended_at > o.began_at)`
  const added = {
    columns: db`${refColumns(db)}, 'added' as kind, g.source, g.granted_by as by, '' as why, g.reason`,
    by: db`g.began_at`,
    where: db`and (g.ended_at is null or g.ended_at > g.began_at) ${within(db`g.began_at`)}
      and not exists (select 1 from grants o where ${other} and (
        (o.began_at < g.began_at and (o.ended_at is null or o.ended_at >= g.began_at))
        or (o.began_at = g.began_at and o.grant_id < g.grant_id)))`,
  }
  const removed = {
    columns: db`${refColumns(db)}, 'removed' as kind, g.source, coalesce(g.ended_by, '') as by, g.ended_why as why, '' as reason`,
    by: db`g.ended_at`,
    where: db`and g.ended_at is not null and g.ended_at > g.began_at ${within(db`g.ended_at`)}
      and not exists (select 1 from grants o where ${other} and (
        (o.began_at <= g.ended_at and (o.ended_at is null or o.ended_at > g.ended_at))
        or (o.ended_at = g.ended_at and o.grant_id > g.grant_id)))`,
  }
  return db<FeedEvent[]>`
    select * from (
      (${latest(db, tenantId, filter, added, page)}) union all (${latest(db, tenantId, filter, removed, page)})
    ) events
    order by at desc, id desc limit ${page.limit}`
}

export type PastGrant = HoldingRef & { id: string; grantedAt: Date; at: Date }

/** Grants that have ended, latest first. One whose terms changed has not ended. */
export async function listPast(
  db: Reads,
  tenantId: number,
  filter: HistoryFilter,
  page: PageAsked,
): Promise<PastGrant[]> {
  const ended = {
    columns: db`${refColumns(db)}, g.granted_at as "grantedAt"`,
    by: db`g.ended_at`,
    where: db`and g.ended_at is not null and g.ended_why <> 'restated'`,
  }
  return db<PastGrant[]>`${latest(db, tenantId, filter, ended, page)}`
}

import type { Page } from '#kernel/pages.ts'
import type { Reads } from '#kernel/sql.ts'
import type { AccountRef } from '#rooms/records/accounts/index.ts'
import type { HoldingRef } from '../grant.ts'
import type { HistoryRow } from './decide.ts'

export type TrackFilter = {
  accounts: readonly AccountRef[]
  appId: string
  entitlementId: string
  /** Null for no beginning. */
  since: Date | null
  until: Date
}

const isBefore = (a: AccountRef, appId: string, id: string): boolean =>
  a.appId === appId ? a.id < id : a.appId < appId

/**
 * What accounts held at some moment of a period, by app, account and entitlement. For each account it scans its own history
 * by `grants_past`, regardless of the rest of the app (`offset 0` keeps it so), and no more of it than the page holds.
 */
export async function listTracks(
  db: Reads,
  tenantId: number,
  { accounts, appId, entitlementId, since, until }: TrackFilter,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<HoldingRef[]> {
  const [afterApp = '', afterAccount = '', afterEntitlement = ''] = (page.after ?? []) as string[]
  const wanted = accounts.filter(
    (each) => !isBefore(each, afterApp, afterAccount) && (appId === '' || each.appId === appId),
  )
  if (wanted.length === 0) return []
  const isFrom = (each: AccountRef): boolean => each.appId === afterApp && each.id === afterAccount
  return db<HoldingRef[]>`
    select x.* from unnest(
      ${wanted.map((each) => each.appId)}::text[], ${wanted.map((each) => each.id)}::text[],
      ${wanted.map((each) => (isFrom(each) ? afterEntitlement : ''))}::text[]
    ) as a (app_id, account_id, after)
    cross join lateral (
      select g.app_id as "appId", g.account_id as "accountId", g.entitlement_id as "entitlementId"
      from (select * from grants h
        where h.tenant_id = ${tenantId} and h.app_id = a.app_id and h.account_id = a.account_id
          and h.entitlement_id > a.after ${entitlementId === '' ? db`` : db`and h.entitlement_id = ${entitlementId}`}
        order by h.entitlement_id offset 0) g
      where g.began_at <= ${until} and (g.ended_at is null or g.ended_at > g.began_at)
        ${
          since
            ? db`and (g.ended_at is null or g.ended_at > ${since}) and (g.expires_at is null or g.expires_at > ${since})`
            : db``
        }
      group by g.app_id, g.account_id, g.entitlement_id
      order by g.entitlement_id limit ${page.limit}) x
    order by x."appId", x."accountId", x."entitlementId" limit ${page.limit}`
}

/** The latest rows of each holding, as they were known at a moment: one more than requested if there are more. */
export async function listRowsOf(
  db: Reads,
  tenantId: number,
  tracks: readonly HoldingRef[],
  { at, rowsMax }: { at: Date; rowsMax: number },
): Promise<HistoryRow[]> {
  if (tracks.length === 0) return []
  return db<HistoryRow[]>`
    select x.* from unnest(
      ${tracks.map(({ appId }) => appId)}::text[], ${tracks.map(({ entitlementId }) => entitlementId)}::text[],
      ${tracks.map(({ accountId }) => accountId)}::text[]) as w (app_id, entitlement_id, account_id)
    cross join lateral (
      select g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId", g.grant_id as id,
        g.source, g.granted_by as "grantedBy", g.granted_at as "grantedAt", g.began_at as "beganAt",
        g.expires_at as "expiresAt", g.ended_at as "endedAt", coalesce(g.ended_by, '') as "endedBy",
        g.ended_why as "endedWhy"
      from grants g
      where g.tenant_id = ${tenantId} and g.app_id = w.app_id and g.account_id = w.account_id
        and g.entitlement_id = w.entitlement_id and g.began_at <= ${at}
      order by g.began_at desc, g.grant_id desc limit ${rowsMax + 1}) x`
}

export type TrackName = HoldingRef & {
  appName: string
  entitlementName: string
  accountName: string
  resourceTypeId: string
  resourceId: string
  resourceName: string
}

/** The names of the accounts and entitlements, deleted or not: the history still refers to them. */
export async function nameTracks(db: Reads, tenantId: number, tracks: readonly HoldingRef[]): Promise<TrackName[]> {
  if (tracks.length === 0) return []
  return db<TrackName[]>`
    select w.app_id as "appId", w.entitlement_id as "entitlementId", w.account_id as "accountId",
      coalesce(p.display_name, '') as "appName", e.display_name as "entitlementName",
      coalesce(nullif(a.username, ''), nullif(a.email, ''), a.display_name, '') as "accountName",
      coalesce(e.resource_type_id, '') as "resourceTypeId", coalesce(e.resource_id, '') as "resourceId",
      coalesce(r.display_name, '') as "resourceName"
    from unnest(
      ${tracks.map(({ appId }) => appId)}::text[], ${tracks.map(({ entitlementId }) => entitlementId)}::text[],
      ${tracks.map(({ accountId }) => accountId)}::text[]) as w (app_id, entitlement_id, account_id)
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = w.app_id and e.entitlement_id = w.entitlement_id
    left join apps p on p.tenant_id = ${tenantId} and p.app_id = w.app_id
    left join accounts a on a.tenant_id = ${tenantId} and a.app_id = w.app_id and a.account_id = w.account_id
    left join resources r on r.tenant_id = ${tenantId} and r.app_id = e.app_id
      and r.resource_type_id = e.resource_type_id and r.resource_id = e.resource_id`
}

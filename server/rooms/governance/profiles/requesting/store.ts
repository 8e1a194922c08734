import { isVisibleProfile } from '#authority/sight/index.ts'
import type { Page } from '#kernel/pages.ts'
import { kindsOf, searchInParts } from '#kernel/search.ts'
import type { Reads } from '#kernel/sql.ts'
import { entitlementsAround } from '#rooms/records/apps/index.ts'
import { held } from '#rooms/records/grants/index.ts'
import type { EntitlementRef } from '../profile.ts'

/** The profiles that someone can see; all published ones for those who may request anything. */
export async function listVisibleProfiles(
  db: Reads,
  tenantId: number,
  who: { userId: string; at: Date } | null,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select p.profile_id as id from profiles p
    where p.tenant_id = ${tenantId} and p.is_published and p.deleted_at is null
      and ${who === null ? db`true` : isVisibleProfile(db, tenantId, who.userId, who.at)}
    order by p.profile_id limit ${profilesMax}`
  return rows.map(({ id }) => id)
}
const profilesMax = 10_000

/** The contents of these profiles, without duplicates; one more than `limit` if there is more. */
export async function listContained(
  db: Reads,
  tenantId: number,
  profileIds: readonly string[],
  limit: number,
): Promise<EntitlementRef[]> {
  return db<EntitlementRef[]>`
    select distinct s.app_id as "appId", s.entitlement_id as id from (
      select r.app_id, r.entitlement_id from profile_entries r
      where r.tenant_id = ${tenantId} and r.profile_id = any(${profileIds}::text[]) limit ${limit + 1}) s`
}

/** What someone holds now. */
export async function listHeldRefs(db: Reads, tenantId: number, userId: string, at: Date): Promise<EntitlementRef[]> {
  return db<EntitlementRef[]>`
    select distinct g.app_id as "appId", g.entitlement_id as id from accounts a
    join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
      and ${held(db, { at, isNow: true })}
    where a.tenant_id = ${tenantId} and a.user_id = ${userId} and a.deleted_at is null
    order by 1, 2 limit ${heldMax}`
}
const heldMax = 50_000

/** The apps of exactly this name, case-insensitive. */
export async function listAppsNamed(db: Reads, tenantId: number, name: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select a.app_id as id from apps a
    where a.tenant_id = ${tenantId} and a.deleted_at is null and lower(a.display_name) = lower(${name})
      and a.app_id in (select s.object_id from search_keys s
        where s.tenant_id = ${tenantId} and s.kind = 'app' and s.key = left(lower(${name}), 100))
    limit 1000`
  return rows.map(({ id }) => id)
}

export type CatalogFilter = {
  query: string
  alias: string
  /** Null means any app. */
  appIds: readonly string[] | null
  includeDeleted: boolean
  /** All candidates, if there are few; null if there are many. */
  among: readonly EntitlementRef[] | null
  /** Entitlements to leave out. */
  without: readonly EntitlementRef[]
}

type PageAsked = Pick<Page, 'after' | 'limit'>
export type FoundRef = EntitlementRef & { key?: string }

const inRefs = (db: Reads, refs: readonly EntitlementRef[]) => db`
  select * from unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[])`

// A single app is compared with `=`: the order begins there, with 5,000 of 100,000 entitlements rather than all of them.
const inApps = (db: Reads, ids: readonly string[]) =>
  ids.length === 1 ? db`and e.app_id = ${ids[0] ?? ''}` : db`and e.app_id = any(${ids}::text[])`

/**
 * The contents of the profiles, by key and id if there is a text to search for, else by app and id. If the profiles contain
 * little, only that is searched; otherwise the scan follows the order, and checks for each entitlement whether a profile
 * contains it.
 */
export async function searchContained(
  db: Reads,
  tenantId: number,
  profileIds: readonly string[],
  filter: CatalogFilter,
  page: PageAsked,
): Promise<FoundRef[]> {
  const { among, without, alias, appIds, includeDeleted } = filter
  const conditions = db`
    ${includeDeleted ? db`` : db`and e.deleted_at is null`}
    ${alias === '' ? db`` : db`and e.alias = ${alias}`}
    ${appIds === null ? db`` : inApps(db, appIds)}
    ${without.length === 0 ? db`` : db`and (e.app_id, e.entitlement_id) not in (${inRefs(db, without)})`}
    and exists (select 1 from profile_entries r
      where r.tenant_id = ${tenantId} and r.app_id = e.app_id and r.entitlement_id = e.entitlement_id
        and r.profile_id = any(${profileIds}::text[]))`
  const [first = '', second = ''] = (page.after ?? []) as string[]
  if (filter.query !== '')
    return searchInParts(page, async (part) => {
      const kinds = kindsOf('entitlement', { living: true, deleted: includeDeleted })
      const around = { kinds, query: filter.query, appIds: appIds ?? [] }
      const { found } = await entitlementsAround(db, tenantId, around, part)
      return db<FoundRef[]>`
        select e.app_id as "appId", e.entitlement_id as id, m.key
        from ${found} m
        join entitlements e on e.tenant_id = ${tenantId} and e.app_id = m.app_id and e.entitlement_id = m.object_id
        where true ${among === null ? db`` : db`and (m.app_id, m.object_id) in (${inRefs(db, among)})`} ${conditions}
        order by m.key, m.object_id limit ${part.page.limit}`
    })
  return among === null
    ? db<FoundRef[]>`
      select e.app_id as "appId", e.entitlement_id as id from entitlements e
      where e.tenant_id = ${tenantId} and (e.app_id, e.entitlement_id) > (${first}, ${second}) ${conditions}
      order by e.app_id, e.entitlement_id limit ${page.limit}`
    : db<FoundRef[]>`
      select e.app_id as "appId", e.entitlement_id as id from (${inRefs(db, among)}) as w (app_id, id)
      join entitlements e on e.tenant_id = ${tenantId} and e.app_id = w.app_id and e.entitlement_id = w.id
      where (e.app_id, e.entitlement_id) > (${first}, ${second}) ${conditions}
      order by e.app_id, e.entitlement_id limit ${page.limit}`
}

import type { Reads } from '#kernel/sql.ts'
import type { GrantSource, HoldingRef } from '#rooms/records/grants/index.ts'

/** By what each of these is held now, by `appId entitlementId accountId`. */
export async function listSourcesOf(
  db: Reads,
  tenantId: number,
  refs: readonly HoldingRef[],
  at: Date,
): Promise<Map<string, GrantSource[]>> {
  const rows = await db<{ key: string; sources: GrantSource[] }[]>`
    select g.app_id || ' ' || g.entitlement_id || ' ' || g.account_id as key, array_agg(g.source order by g.source) as sources
    from unnest(
      ${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ entitlementId }) => entitlementId)}::text[],
      ${refs.map(({ accountId }) => accountId)}::text[]) as w (app_id, entitlement_id, account_id)
    join grants g on g.tenant_id = ${tenantId} and g.app_id = w.app_id and g.entitlement_id = w.entitlement_id
      and g.account_id = w.account_id
    where g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})
    group by 1`
  return new Map(rows.map(({ key, sources }) => [key, sources]))
}

/** The grants that an app has, counted up to a number; its name. */
export async function countGrantsOf(
  db: Reads,
  tenantId: number,
  appId: string,
  max: number,
): Promise<{ name: string; held: number }> {
  const [row] = await db<{ name: string; held: number }[]>`
    select p.display_name as name, (
      select count(*)::int from (
        select 1 from grants g where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.ended_at is null
        limit ${max}) x) as held
    from apps p where p.tenant_id = ${tenantId} and p.app_id = ${appId}`
  return row ?? { name: '', held: 0 }
}

export async function listAppNames(db: Reads, tenantId: number, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db<{ id: string; name: string }[]>`
    select p.app_id as id, p.display_name as name from apps p
    where p.tenant_id = ${tenantId} and p.app_id = any(${ids}::text[])`
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Users who are enabled, counted up to a number. */
export async function countEnabled(db: Reads, tenantId: number, max: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from users u where u.tenant_id = ${tenantId} and u.status = 'ENABLED' and u.deleted_at is null
      limit ${max}) x`
  return row?.count ?? 0
}

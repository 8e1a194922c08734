import type { Page } from '#kernel/pages.ts'
import type { Reads } from '#kernel/sql.ts'
import type { AccountRef } from '#rooms/records/accounts/index.ts'
import type { EntitlementRef } from '../grant.ts'
import { held } from '../store/held.ts'
import { isNamed } from '../store/search-held.ts'

const pairs = (db: Reads, refs: readonly { appId: string; id: string }[]) =>
  db`unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[])`

/** An entitlement with its resource. */
export type Described = EntitlementRef & {
  displayName: string
  slug: string
  resource: { appId: string; id: string; typeId: string; displayName: string; typeName: string } | null
}

export async function describeEntitlements(
  db: Reads,
  tenantId: number,
  refs: readonly EntitlementRef[],
): Promise<Described[]> {
  if (refs.length === 0) return []
  return db<Described[]>`
    select e.app_id as "appId", e.entitlement_id as id, e.display_name as "displayName", e.slug,
      case when r.resource_id is null then null else jsonb_build_object('appId', r.app_id, 'id', r.resource_id,
        'typeId', r.resource_type_id, 'displayName', r.display_name, 'typeName', t.display_name) end as resource
    from (select distinct * from ${pairs(db, refs)}) as w (app_id, entitlement_id)
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = w.app_id and e.entitlement_id = w.entitlement_id
    left join resources r on r.tenant_id = e.tenant_id and r.app_id = e.app_id
      and r.resource_type_id = e.resource_type_id and r.resource_id = e.resource_id and r.deleted_at is null
    left join resource_types t on t.tenant_id = r.tenant_id and t.app_id = r.app_id
      and t.resource_type_id = r.resource_type_id
    where e.deleted_at is null`
}

export type ProxyEdge = { from: EntitlementRef; to: EntitlementRef }

/** The proxies that continue from some entitlements, at most so many in a row. */
export async function listProxiesFrom(
  db: Reads,
  tenantId: number,
  refs: readonly EntitlementRef[],
  { depth, limit }: { depth: number; limit: number },
): Promise<ProxyEdge[]> {
  if (refs.length === 0 || depth <= 0) return []
  return db<ProxyEdge[]>`
    with recursive led as (
      select p.*, 1 as depth from (select distinct * from ${pairs(db, refs)}) as w (app_id, entitlement_id)
      join entitlement_proxies p on p.tenant_id = ${tenantId} and p.src_app_id = w.app_id
        and p.src_entitlement_id = w.entitlement_id
      union
      select p.*, l.depth + 1 from led l
      join entitlement_proxies p on p.tenant_id = ${tenantId} and p.src_app_id = l.dst_app_id
        and p.src_entitlement_id = l.dst_entitlement_id
      where l.depth < ${depth}
    )
    select distinct jsonb_build_object('appId', src_app_id, 'id', src_entitlement_id) as "from",
      jsonb_build_object('appId', dst_app_id, 'id', dst_entitlement_id) as "to"
    from led limit ${limit}`
}

export type Reachable = { appId: string; typeId: string; id: string; displayName: string; typeName: string }

/** The resources of what some accounts hold, and of what proxies add to that. */
export async function listReachable(
  db: Reads,
  tenantId: number,
  { accounts, appIds, query }: { accounts: readonly AccountRef[]; appIds: readonly string[]; query: string },
  { at, depth }: { at: Date; depth: number },
  page: Pick<Page, 'after' | 'limit'>,
): Promise<Reachable[]> {
  const [appId = '', typeId = '', id = ''] = (page.after ?? []) as string[]
  return db<Reachable[]>`
    with recursive reached as (
      select g.app_id, g.entitlement_id, 0 as depth from ${pairs(db, accounts)} as a (app_id, account_id)
      join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
      where ${held(db, { at, isNow: true })}
      union
      select p.dst_app_id, p.dst_entitlement_id, x.depth + 1 from reached x
      join entitlement_proxies p on p.tenant_id = ${tenantId} and p.src_app_id = x.app_id
        and p.src_entitlement_id = x.entitlement_id
      where x.depth < ${depth}
    )
    select distinct r.app_id as "appId", r.resource_type_id as "typeId", r.resource_id as id,
      r.display_name as "displayName", t.display_name as "typeName"
    from (select distinct app_id, entitlement_id from reached) x
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = x.app_id and e.entitlement_id = x.entitlement_id
      and e.deleted_at is null
    join resources r on r.tenant_id = e.tenant_id and r.app_id = e.app_id
      and r.resource_type_id = e.resource_type_id and r.resource_id = e.resource_id and r.deleted_at is null
    join resource_types t on t.tenant_id = r.tenant_id and t.app_id = r.app_id
      and t.resource_type_id = r.resource_type_id
    where (r.app_id, r.resource_type_id, r.resource_id) > (${appId}, ${typeId}, ${id})
      ${appIds.length > 0 ? db`and r.app_id = any(${appIds}::text[])` : db``}
      ${isNamed(db, tenantId, 'resource', db`r.resource_id`, query)}
    order by 1, 2, 3 limit ${page.limit}`
}

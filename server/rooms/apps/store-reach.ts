import type { Reads } from '#kernel/sql.ts'

/** What comes to whoever is given an entitlement: another entitlement, or that they own something. */
export type Conferred =
  | { what: 'entitlement'; appId: string; id: string; resourceTypeId: string; resourceId: string }
  | {
      what: 'ownership'
      kind: string
      appId: string
      typeId: string
      id: string
      resourceTypeId: string
      resourceId: string
    }

const conferredMax = 1000

/**
 * All that an entitlement leads to: entitlements whose rules read it, or ask who has an account in its app, those that it
 * is bound to, and so on from each; and what the holders of any of these own. Rules and owners are rooms further down,
 * which this one cannot ask; their tables are read here, and only read.
 */
export async function listConferred(
  db: Reads,
  tenantId: number,
  { appId, id }: { appId: string; id: string },
): Promise<Conferred[]> {
  return db<Conferred[]>`
    with recursive fed as (
      select ${appId}::text collate "C" as app_id, ${id}::text collate "C" as entitlement_id
      union
      select x.app_id, x.entitlement_id from fed f
      cross join lateral (
        select r.by_app_id::text as app_id, r.by_entitlement_id::text as entitlement_id from automation_reads r
        where r.tenant_id = ${tenantId} and r.app_id = f.app_id and r.entitlement_id in (f.entitlement_id, '')
        union all
        select p.dst_app_id::text, p.dst_entitlement_id::text from entitlement_proxies p
        where p.tenant_id = ${tenantId} and p.src_app_id = f.app_id and p.src_entitlement_id = f.entitlement_id
      ) x
    )
    select 'entitlement' as what, '' as kind, e.app_id as "appId", '' as "typeId", e.entitlement_id as id,
      coalesce(e.resource_type_id, '') as "resourceTypeId", coalesce(e.resource_id, '') as "resourceId"
    from fed f
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = f.app_id and e.entitlement_id = f.entitlement_id
    where e.deleted_at is null and (e.app_id, e.entitlement_id) <> (${appId}, ${id})
    union
    select 'ownership', o.kind, o.app_id, o.resource_type_id, o.object_id,
      coalesce(e.resource_type_id, ''), coalesce(e.resource_id, '')
    from fed f
    join owners o on o.tenant_id = ${tenantId} and o.entitlement_app_id = f.app_id
      and o.entitlement_id = f.entitlement_id and o.ended_at is null
    left join entitlements e on e.tenant_id = ${tenantId} and o.kind = 'entitlement' and e.app_id = o.app_id
      and e.entitlement_id = o.object_id
    limit ${conferredMax}`
}

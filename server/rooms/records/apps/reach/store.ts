import type { Reads } from '#kernel/sql.ts'
import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import type { Place } from '#rooms/identity/users/index.ts'

/** What comes to whoever is given an entitlement: another entitlement, or that they own something. */
export type Conferred = { what: 'entitlement' | 'ownership'; kind: string; appId: string; id: string }

/**
 * Of all that an entitlement leads to, one thing that the owner of some places may not give, if there is one. It leads to
 * entitlements whose rules read it, or ask who has an account in its app, those that it is bound to, those that an access
 * profile gives to whoever is enrolled without asking their policies, and so on from each;
 * and to what the holders of any of these own. Who may give an entitlement owns it, its resource or its app; who may make
 * owners owns what the thing lies in. Rules and owners are rooms further down, which this one cannot ask; their tables are
 * read here, and only read.
 */
export async function findConferredBeyond(
  db: Reads,
  tenantId: number,
  { appId, id }: { appId: string; id: string },
  places: readonly Place[],
): Promise<Conferred | null> {
  const of = (kind: Place['kind']): readonly Place[] => places.filter((place) => place.kind === kind)
  const [apps, resources, entitlements] = [of('app'), of('resource'), of('entitlement')]
  const [row] = await db<Conferred[]>`
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
        union all
        select pe.app_id::text, pe.entitlement_id::text from profile_entries pe
        join profiles c on c.tenant_id = ${tenantId} and c.profile_id = pe.profile_id and c.deleted_at is null
        where pe.tenant_id = ${tenantId} and f.app_id = ${profilesAppId} and pe.profile_id = f.entitlement_id
          and not pe.is_enrollment
          and c.enrollment = 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_BYPASS_ENTITLEMENT_REQUEST_POLICY'
      ) x
    ), conferred as (
      select 'entitlement' as what, '' as kind, e.app_id, e.entitlement_id as id, e.resource_type_id, e.resource_id
      from fed f
      join entitlements e on e.tenant_id = ${tenantId} and e.app_id = f.app_id and e.entitlement_id = f.entitlement_id
      where e.deleted_at is null and (e.app_id, e.entitlement_id) <> (${appId}, ${id})
      union all
      select 'ownership', o.kind, o.app_id, o.object_id, e.resource_type_id, e.resource_id
      from fed f
      join owners o on o.tenant_id = ${tenantId} and o.entitlement_app_id = f.app_id
        and o.entitlement_id = f.entitlement_id and o.ended_at is null
      left join entitlements e on e.tenant_id = ${tenantId} and o.kind = 'entitlement' and e.app_id = o.app_id
        and e.entitlement_id = o.object_id
    ), judged as (
      select c.what, c.kind, c.app_id, c.id,
        c.app_id = any(${apps.map((place) => place.appId)}::text[])
          or coalesce((c.app_id, c.resource_type_id, c.resource_id) in (select * from unnest(
            ${resources.map((place) => place.appId)}::text[], ${resources.map(({ typeId }) => typeId)}::text[],
            ${resources.map((place) => place.id)}::text[])), false) as owns_above,
        (c.app_id, c.id) in (select * from unnest(
          ${entitlements.map((place) => place.appId)}::text[], ${entitlements.map((place) => place.id)}::text[])) as owns
      from conferred c
    )
    select what, kind, app_id as "appId", id from judged
    where not case what when 'entitlement' then owns_above or owns else owns_above and kind not in ('app', 'user') end
    limit 1`
  return row ?? null
}

import type { Reads } from '#kernel/sql.ts'
import type { EntitlementRef, HoldingRef } from '../grant.ts'

const pairs = (db: Reads, refs: readonly { appId: string; id: string }[]) =>
  db`unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[])`

export type ResourceRef = { appId: string; typeId: string; id: string }
export type NamedResource = ResourceRef & { name: string; typeName: string; appName: string }

export async function findResource(
  db: Reads,
  tenantId: number,
  { appId, typeId, id }: ResourceRef,
): Promise<NamedResource | null> {
  const [row] = await db<NamedResource[]>`
    select r.app_id as "appId", r.resource_type_id as "typeId", r.resource_id as id, r.display_name as name,
      coalesce(t.display_name, '') as "typeName", coalesce(p.display_name, '') as "appName"
    from resources r
    left join resource_types t on t.tenant_id = ${tenantId} and t.app_id = r.app_id and t.resource_type_id = r.resource_type_id
    left join apps p on p.tenant_id = ${tenantId} and p.app_id = r.app_id
    where r.tenant_id = ${tenantId} and r.app_id = ${appId} and r.resource_type_id = ${typeId} and r.resource_id = ${id}
      and r.deleted_at is null`
  return row ?? null
}

/** The entitlements of a resource. */
export async function listEntitlementsOf(
  db: Reads,
  tenantId: number,
  { appId, typeId, id }: ResourceRef,
  limit: number,
): Promise<EntitlementRef[]> {
  return db<EntitlementRef[]>`
    select e.app_id as "appId", e.entitlement_id as id from entitlements e
    where e.tenant_id = ${tenantId} and e.app_id = ${appId} and e.resource_type_id = ${typeId} and e.resource_id = ${id}
      and e.deleted_at is null
    order by e.entitlement_id limit ${limit}`
}

export type NamedEntitlement = EntitlementRef & {
  name: string
  appName: string
  resource: { typeId: string; id: string; name: string; typeName: string } | null
}

/** Entitlements with their apps and resources, deleted or not: requests may be about the past. */
export async function nameEntitlements(
  db: Reads,
  tenantId: number,
  refs: readonly EntitlementRef[],
): Promise<NamedEntitlement[]> {
  if (refs.length === 0) return []
  return db<NamedEntitlement[]>`
    select e.app_id as "appId", e.entitlement_id as id, e.display_name as name, coalesce(p.display_name, '') as "appName",
      case when r.resource_id is null then null else jsonb_build_object('typeId', r.resource_type_id, 'id', r.resource_id,
        'name', r.display_name, 'typeName', coalesce(t.display_name, '')) end as resource
    from (select distinct * from ${pairs(db, refs)}) as w (app_id, entitlement_id)
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = w.app_id and e.entitlement_id = w.entitlement_id
    left join apps p on p.tenant_id = ${tenantId} and p.app_id = e.app_id
    left join resources r on r.tenant_id = ${tenantId} and r.app_id = e.app_id
      and r.resource_type_id = e.resource_type_id and r.resource_id = e.resource_id
    left join resource_types t on t.tenant_id = ${tenantId} and t.app_id = r.app_id
      and t.resource_type_id = r.resource_type_id`
}

export type Binding = { from: EntitlementRef; to: EntitlementRef }

/**
 * The entitlements through which some others are reached by bindings: a probe of `entitlement_proxies_by_destination` for
 * each.
 */
export async function listBindingsInto(
  db: Reads,
  tenantId: number,
  refs: readonly EntitlementRef[],
  limit: number,
): Promise<Binding[]> {
  if (refs.length === 0) return []
  return db<Binding[]>`
    select jsonb_build_object('appId', p.src_app_id, 'id', p.src_entitlement_id) as "from",
      jsonb_build_object('appId', p.dst_app_id, 'id', p.dst_entitlement_id) as "to"
    from (select distinct * from ${pairs(db, refs)}) as w (app_id, entitlement_id)
    join entitlement_proxies p on p.tenant_id = ${tenantId} and p.dst_app_id = w.app_id
      and p.dst_entitlement_id = w.entitlement_id
    order by p.src_app_id, p.src_entitlement_id limit ${limit}`
}

/** Of what an app reports to be held through others, those that it also reports to be held directly. */
export async function listToldDirect(
  db: Reads,
  tenantId: number,
  holdings: readonly HoldingRef[],
): Promise<HoldingRef[]> {
  if (holdings.length === 0) return []
  return db<HoldingRef[]>`
    select h.app_id as "appId", h.entitlement_id as "entitlementId", h.account_id as "accountId"
    from unnest(
      ${holdings.map(({ appId }) => appId)}::text[], ${holdings.map(({ entitlementId }) => entitlementId)}::text[],
      ${holdings.map(({ accountId }) => accountId)}::text[]) as h (app_id, entitlement_id, account_id)
    join grant_sources x on x.tenant_id = ${tenantId} and x.app_id = h.app_id and x.entitlement_id = h.entitlement_id
      and x.account_id = h.account_id and x.source_entitlement_id = h.entitlement_id`
}

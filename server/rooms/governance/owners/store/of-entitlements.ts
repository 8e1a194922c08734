import type { Reads } from '#kernel/sql.ts'

export type OwnerOf = {
  appId: string
  entitlementId: string
  /** True if the entitlement has no separate owners, and these are the app's. */
  isOfApp: boolean
  userId: string
  ownerAppId: string
  ownerEntitlementId: string
  name: string
}

const namedMax = 5

/** The owners of some entitlements, else of their apps: a few of each, by name. Two lookups in `owners_pkey` for each. */
export async function listOwnersOf(
  db: Reads,
  tenantId: number,
  refs: readonly { appId: string; id: string }[],
): Promise<OwnerOf[]> {
  if (refs.length === 0) return []
  return db<OwnerOf[]>`
    select w.app_id as "appId", w.entitlement_id as "entitlementId", o.kind = 'app' as "isOfApp",
      coalesce(o.user_id, '') as "userId", coalesce(o.entitlement_app_id, '') as "ownerAppId",
      coalesce(o.entitlement_id, '') as "ownerEntitlementId", coalesce(u.display_name, e.display_name, '') as name
    from (select distinct * from unnest(
      ${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[])) as w (app_id, entitlement_id)
    cross join lateral (
      select distinct on (x.kind, x.user_id, x.entitlement_app_id, x.entitlement_id)
        x.kind, x.user_id, x.entitlement_app_id, x.entitlement_id
      from owners x
      where x.tenant_id = ${tenantId} and x.ended_at is null and x.app_id = w.app_id and x.resource_type_id = ''
        and ((x.kind = 'entitlement' and x.object_id = w.entitlement_id) or (x.kind = 'app' and x.object_id = w.app_id))
      order by x.kind desc, x.user_id, x.entitlement_app_id, x.entitlement_id limit ${namedMax}) o
    left join users u on u.tenant_id = ${tenantId} and u.user_id = o.user_id
    left join entitlements e on e.tenant_id = ${tenantId} and e.app_id = o.entitlement_app_id
      and e.entitlement_id = o.entitlement_id
    order by 1, 2, 3, name`
}

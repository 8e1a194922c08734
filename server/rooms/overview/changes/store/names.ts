import type { Reads } from '#kernel/sql.ts'

export type ResourceRef = { appId: string; typeId: string; id: string }

/** What resources are called: by `app type id`. */
export async function findResourceNames(
  db: Reads,
  tenantId: number,
  refs: readonly ResourceRef[],
): Promise<Map<string, string>> {
  if (refs.length === 0) return new Map()
  const rows = await db<(ResourceRef & { name: string })[]>`
    select r.app_id as "appId", r.resource_type_id as "typeId", r.resource_id as id, r.display_name as name
    from unnest(
      ${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ typeId }) => typeId)}::text[], ${refs.map(({ id }) => id)}::text[]
    ) as w (app_id, resource_type_id, resource_id)
    join resources r on r.tenant_id = ${tenantId} and r.app_id = w.app_id and r.resource_type_id = w.resource_type_id
      and r.resource_id = w.resource_id
    limit ${refs.length}`
  return new Map(rows.map(({ appId, typeId, id, name }) => [`${appId} ${typeId} ${id}`, name]))
}

import type { Reads } from '#kernel/sql.ts'
import type { Kind, ObjectRef } from '#rooms/foundation/ownership/index.ts'

/** The names of apps, resources and entitlements, deleted ones included. */
export async function namesOf(
  db: Reads,
  tenantId: number,
  objects: readonly ObjectRef[],
): Promise<(kind: Kind, appId: string, id: string) => string> {
  const ids = (kind: Kind): string[] => objects.filter((object) => object.kind === kind).map(({ id }) => id)
  const apps = [...new Set(objects.map(({ appId }) => appId))]
  const rows = await db<{ kind: Kind; appId: string; id: string; name: string }[]>`
    select 'app' as kind, app_id as "appId", app_id as id, display_name as name from apps
    where tenant_id = ${tenantId} and app_id = any(${apps}::text[])
    union all select 'resource', app_id, resource_id, display_name from resources
    where tenant_id = ${tenantId} and resource_id = any(${ids('resource')}::text[])
    union all select 'entitlement', app_id, entitlement_id, display_name from entitlements
    where tenant_id = ${tenantId} and entitlement_id = any(${ids('entitlement')}::text[])
    union all select 'connector', app_id, connector_id, display_name from connectors
    where tenant_id = ${tenantId} and connector_id = any(${ids('connector')}::text[])
    limit 1000`
  const nameOf = new Map(rows.map(({ kind, appId, id, name }) => [`${kind} ${appId} ${id}`, name]))
  return (kind, appId, id) => nameOf.get(`${kind} ${appId} ${id}`) ?? ''
}

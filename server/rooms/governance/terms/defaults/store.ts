import type { May } from '#authority/proof.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { RequestDefaults } from './defaults.ts'

export async function findDefaults(db: Reads, tenantId: number, appId: string): Promise<RequestDefaults | null> {
  const [row] = await db<RequestDefaults[]>`
    select d.app_id as "appId", d.is_enabled as "defaultsEnabled", d.resource_type_ids as "resourceTypeIds",
      d.grant_policy_id as "requestPolicyId", d.form_id as "requestSchemaId",
      d.duration_seconds::float8 as "durationGrant", d.is_duration_unset as "isDurationUnset",
      d.is_emergency_enabled as "emergencyGrantEnabled", d.emergency_policy_id as "emergencyGrantPolicyId",
      d.created_at as "createdAt", d.updated_at as "updatedAt"
    from request_defaults d
    join apps a on a.tenant_id = ${tenantId} and a.app_id = d.app_id and a.deleted_at is null
    where d.tenant_id = ${tenantId} and d.app_id = ${appId}`
  return row ?? null
}

export async function putDefaults(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'app.change-terms'>,
  made: RequestDefaults,
): Promise<void> {
  await tx`
    insert into request_defaults (tenant_id, app_id, is_enabled, resource_type_ids, grant_policy_id, form_id,
      duration_seconds, is_duration_unset, is_emergency_enabled, emergency_policy_id, created_at, updated_at)
    values (${tenantId}, ${made.appId}, ${made.defaultsEnabled}, ${made.resourceTypeIds}::text[],
      ${made.requestPolicyId}, ${made.requestSchemaId}, ${made.durationGrant}, ${made.isDurationUnset},
      ${made.emergencyGrantEnabled}, ${made.emergencyGrantPolicyId}, ${made.createdAt}, ${made.updatedAt})
    on conflict (tenant_id, app_id) do update set is_enabled = excluded.is_enabled,
      resource_type_ids = excluded.resource_type_ids, grant_policy_id = excluded.grant_policy_id,
      form_id = excluded.form_id, duration_seconds = excluded.duration_seconds,
      is_duration_unset = excluded.is_duration_unset, is_emergency_enabled = excluded.is_emergency_enabled,
      emergency_policy_id = excluded.emergency_policy_id, updated_at = excluded.updated_at`
}

/** Which of some resource types an app has. */
export async function listTypesAmong(
  db: Reads,
  tenantId: number,
  appId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db<{ id: string }[]>`
    select t.resource_type_id as id from resource_types t
    where t.tenant_id = ${tenantId} and t.app_id = ${appId} and t.resource_type_id = any(${ids}::text[])
      and t.deleted_at is null`
  return rows.map(({ id }) => id)
}

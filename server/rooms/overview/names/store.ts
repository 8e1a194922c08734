import type { Reads } from '#kernel/sql.ts'

export type NamedRow = {
  id: string
  type: string
  displayName: string
  appId: string
  parentId: string
  isDeleted: boolean
}

/** The things that ids identify, in any table whose rows have a name: each is found by an index on the tenant and the id. */
export async function findNamed(db: Reads, tenantId: number, ids: readonly string[]): Promise<NamedRow[]> {
  const own = db`${ids}::text[]`
  return db<NamedRow[]>`
    select user_id as id, case when type = 'USER_TYPE_SERVICE' and origin = 'USER_ORIGIN_LOCAL' then 'service principal' else 'user' end
      as type, display_name as "displayName", '' as "appId", '' as "parentId", deleted_at is not null as "isDeleted"
    from users where tenant_id = ${tenantId} and user_id = any(${own})
    union all
    select app_id, 'app', display_name, '', '', deleted_at is not null
    from apps where tenant_id = ${tenantId} and app_id = any(${own})
    union all
    select entitlement_id, 'entitlement', display_name, app_id, '', deleted_at is not null
    from entitlements where tenant_id = ${tenantId} and entitlement_id = any(${own})
    union all
    select account_id, 'account', display_name, app_id, coalesce(user_id, ''), deleted_at is not null
    from accounts where tenant_id = ${tenantId} and account_id = any(${own})
    union all
    select resource_id, 'resource', display_name, app_id, resource_type_id, deleted_at is not null
    from resources where tenant_id = ${tenantId} and resource_id = any(${own})
    union all
    select connector_id, 'connector', display_name, app_id, '', deleted_at is not null
    from connectors where tenant_id = ${tenantId} and connector_id = any(${own})
    union all
    select role_id, 'role', display_name, '', '', false
    from roles where tenant_id = ${tenantId} and role_id = any(${own})
    union all
    select credential_id, 'credential', display_name, '', user_id, deleted_at is not null
    from credentials where tenant_id = ${tenantId} and credential_id = any(${own})
    union all
    select policy_id, 'policy', display_name, '', '', deleted_at is not null
    from policies where tenant_id = ${tenantId} and policy_id = any(${own})
    union all
    select profile_id, 'request_catalog', display_name, '', '', deleted_at is not null
    from profiles where tenant_id = ${tenantId} and profile_id = any(${own})
    union all
    select form_id, 'request_schema', name, '', '', deleted_at is not null
    from forms where tenant_id = ${tenantId} and form_id = any(${own})
    union all
    select webhook_id, 'webhook', display_name, '', '', deleted_at is not null
    from webhooks where tenant_id = ${tenantId} and webhook_id = any(${own})
    union all
    select subscription_id, 'subscription', display_name, '', '', false
    from subscriptions where tenant_id = ${tenantId} and subscription_id = any(${own})
    union all
    select export_id, 'export', display_name, '', '', deleted_at is not null
    from systemlog_exports where tenant_id = ${tenantId} and export_id = any(${own})
    union all
    select task_id, 'task', '#' || number || ' ' || display_name, '', '', deleted_at is not null
    from tasks where tenant_id = ${tenantId} and task_id = any(${own})
    union all
    select import_id, 'import', '', '', '', false
    from imports where tenant_id = ${tenantId} and import_id = any(${own})`
}

export async function findAppNames(
  db: Reads,
  tenantId: number,
  appIds: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return db<{ id: string; name: string }[]>`
    select app_id as id, display_name as name from apps where tenant_id = ${tenantId} and app_id = any(${appIds}::text[])`
}

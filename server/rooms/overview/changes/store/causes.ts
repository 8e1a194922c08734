import type { Reads } from '#kernel/sql.ts'

export type NamedImport = { id: string; appId: string; format: string; startedAt: Date }
export type NamedTask = { id: string; number: number; name: string; isDeleted: boolean }
export type NamedProfile = { id: string; name: string; isDeleted: boolean }
export type NamedApp = { id: string; name: string; isDeleted: boolean }
export type ConnectorTask = { id: string; connectorId: string; appId: string; name: string; isDeleted: boolean }
/** A run, and the version of the rule that applied in it. */
export type NamedRun = {
  id: string
  appId: string
  entitlementId: string
  version: number
  name: string
  expression: string
  isDeleted: boolean
}

export const findNamedImports = (db: Reads, tenantId: number, ids: readonly string[]): Promise<NamedImport[]> =>
  db<NamedImport[]>`
    select i.import_id as id, i.app_id as "appId", i.format, i.started_at as "startedAt" from imports i
    where i.tenant_id = ${tenantId} and i.import_id = any(${ids}::text[]) limit ${ids.length}`

export const findNamedTasks = (db: Reads, tenantId: number, ids: readonly string[]): Promise<NamedTask[]> =>
  db<NamedTask[]>`
    select t.task_id as id, t.number::int as number, t.display_name as name, t.deleted_at is not null as "isDeleted"
    from tasks t
    where t.tenant_id = ${tenantId} and t.task_id = any(${ids}::text[]) limit ${ids.length}`

export const findNamedProfiles = (db: Reads, tenantId: number, ids: readonly string[]): Promise<NamedProfile[]> =>
  db<NamedProfile[]>`
    select p.profile_id as id, p.display_name as name, p.deleted_at is not null as "isDeleted" from profiles p
    where p.tenant_id = ${tenantId} and p.profile_id = any(${ids}::text[]) limit ${ids.length}`

export const findNamedApps = (db: Reads, tenantId: number, ids: readonly string[]): Promise<NamedApp[]> =>
  db<NamedApp[]>`
    select a.app_id as id, a.display_name as name, a.deleted_at is not null as "isDeleted" from apps a
    where a.tenant_id = ${tenantId} and a.app_id = any(${ids}::text[]) limit ${ids.length}`

export const findNamedRuns = (db: Reads, tenantId: number, ids: readonly string[]): Promise<NamedRun[]> =>
  db<NamedRun[]>`
    select r.run_id as id, r.app_id as "appId", r.entitlement_id as "entitlementId", r.version,
      coalesce(nullif(v.display_name, ''), m.display_name, '') as name,
      case when v.version is not null then v.expression when m.version = r.version then m.expression else '' end
        as expression,
      m.deleted_at is not null as "isDeleted"
    from automation_runs r
    left join automation_versions v on v.tenant_id = ${tenantId} and v.app_id = r.app_id
      and v.entitlement_id = r.entitlement_id and v.version = r.version
    left join automations m on m.tenant_id = ${tenantId} and m.app_id = r.app_id and m.entitlement_id = r.entitlement_id
    where r.tenant_id = ${tenantId} and r.run_id = any(${ids}::text[]) limit ${ids.length}`

/** What connectors did in apps, by the index of an app's tasks. */
export const findConnectorTasks = (
  db: Reads,
  tenantId: number,
  ids: readonly string[],
  appIds: readonly string[],
): Promise<ConnectorTask[]> =>
  db<ConnectorTask[]>`
    select t.task_id as id, t.connector_id as "connectorId", t.app_id as "appId", c.display_name as name,
      c.deleted_at is not null as "isDeleted"
    from connector_tasks t
    join connectors c on c.tenant_id = ${tenantId} and c.connector_id = t.connector_id
    where t.tenant_id = ${tenantId} and t.kind <> 'sync' and t.app_id = any(${appIds}::text[])
      and t.task_id = any(${ids}::text[]) limit ${ids.length}`

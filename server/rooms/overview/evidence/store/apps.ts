import type { Reads } from '#kernel/sql.ts'
import type { HoldingRef } from '#rooms/records/grants/index.ts'
import type { Carried, Read } from '../facts.ts'

const perHolding = 50

/** What connectors were asked to do for some holdings until a moment, the latest first. */
export async function listCarried(
  db: Reads,
  tenantId: number,
  refs: readonly HoldingRef[],
  at: Date,
): Promise<Carried[]> {
  if (refs.length === 0) return []
  return db<Carried[]>`
    select x.*, c.display_name as "connectorName" from unnest(
      ${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ entitlementId }) => entitlementId)}::text[],
      ${refs.map(({ accountId }) => accountId)}::text[]) as w (app_id, entitlement_id, account_id)
    cross join lateral (
      select t.app_id as "appId", t.entitlement_id as "entitlementId", t.account_id as "accountId", t.task_id as id,
        t.connector_id as "connectorId", t.kind, t.state, t.created_at as "createdAt", t.ended_at as "endedAt"
      from connector_tasks t
      where t.tenant_id = ${tenantId} and t.app_id = w.app_id and t.account_id = w.account_id
        and t.entitlement_id = w.entitlement_id and t.kind <> 'sync' and t.kind in ('grant', 'revoke')
        and t.created_at <= ${at}
      order by t.task_id desc limit ${perHolding}) x
    join connectors c on c.tenant_id = ${tenantId} and c.connector_id = x."connectorId"`
}

/** Where some imports came from. The connectors of their apps are few, and the syncs of each are read by their index. */
export async function listReads(
  db: Reads,
  tenantId: number,
  importIds: readonly string[],
  appIds: readonly string[],
): Promise<Read[]> {
  if (importIds.length === 0) return []
  return db<Read[]>`
    select i.import_id as "importId", coalesce(s.connector_id, '') as "connectorId",
      coalesce(s.name, '') as "connectorName", i.user_id as "userId", i.started_at as "beganAt",
      i.finished_at as "finishedAt"
    from imports i
    left join (
      select t.import_id, t.connector_id, c.display_name as name
      from connectors c
      join connector_tasks t on t.tenant_id = ${tenantId} and t.connector_id = c.connector_id and t.kind = 'sync'
        and t.state = 'done' and t.import_id = any(${importIds}::text[])
      where c.tenant_id = ${tenantId} and c.app_id = any(${appIds}::text[])) s on s.import_id = i.import_id
    where i.tenant_id = ${tenantId} and i.import_id = any(${importIds}::text[])`
}

/** When each connector read its app the last time before a moment. */
export async function listLastReads(
  db: Reads,
  tenantId: number,
  connectorIds: readonly string[],
  at: Date,
): Promise<{ connectorId: string; endedAt: Date }[]> {
  if (connectorIds.length === 0) return []
  return db<{ connectorId: string; endedAt: Date }[]>`
    select x.* from unnest(${connectorIds}::text[]) as w (connector_id)
    cross join lateral (
      select t.connector_id as "connectorId", t.ended_at as "endedAt" from connector_tasks t
      where t.tenant_id = ${tenantId} and t.connector_id = w.connector_id and t.kind = 'sync' and t.state = 'done'
        and t.ended_at <= ${at}
      order by t.task_id desc limit 1) x`
}

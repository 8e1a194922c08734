import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import { findEarliest, listTenantsWith } from '#kernel/tenants-with.ts'
import type { Connector, ConnectorTask, ProvisioningTask, TaskState } from '../connector.ts'

export const taskColumns = (db: Reads) => db`
  task_id as id, connector_id as "connectorId", kind, state, host_id as "hostId", lease_until as "leaseUntil", attempts,
  error, upload_id as "uploadId", byte_count as "byteCount", is_confirmed as "isConfirmed", import_id as "importId",
  created_at as "createdAt", begun_at as "begunAt", ended_at as "endedAt", app_id as "appId",
  entitlement_id as "entitlementId", account_id as "accountId", is_awaited as "isAwaited", retry_of as "retryOf", retries,
  settled_by as "settledBy"`

/** Whether there may be something to do for a connector: most of the time there is not, and this is the only query. */
export async function isAnythingToDo(db: Reads, tenantId: number, connectorId: string, at: Date): Promise<boolean> {
  const [row] = await db`
    select 1 from connector_tasks
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and state in ('queued', 'leased', 'merging', 'held')
      and (state = 'queued' or (state = 'leased' and lease_until <= ${at}))
    union all
    select 1 from connectors
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and deleted_at is null
      and sync_disabled_at is null and next_sync_at <= ${at}
    limit 1`
  return row !== undefined
}

type LookedAt = {
  isAnythingToDo: boolean
  isNews: boolean
  /** Whether the connector has any task, on any host. */
  isAnythingLeased: boolean
  /** Whether the host has tasks whose leases were shortened. */
  hasShortened: boolean
}

/**
 * The same, and whether the poll has to be noted: one that finds nothing to do needs no other query. 2,000 connectors poll
 * 67 times per second.
 */
export async function lookAt(
  db: Reads,
  tenantId: number,
  connectorId: string,
  { agent, hostId, at, notSince }: Seen,
): Promise<LookedAt> {
  const [row] = await db<LookedAt[]>`
    select leased."isAnythingLeased", leased."hasShortened",
      last_seen_at is null or last_seen_at < ${notSince} or host_id <> ${hostId} or agent <> ${agent} as "isNews",
      coalesce(deleted_at is null and sync_disabled_at is null and next_sync_at <= ${at}, false) or exists (
        select 1 from connector_tasks
        where tenant_id = ${tenantId} and connector_id = ${connectorId}
          and state in ('queued', 'leased', 'merging', 'held')
          and (state = 'queued' or (state = 'leased' and lease_until <= ${at}))) as "isAnythingToDo"
    from connectors, (
      select count(*) > 0 as "isAnythingLeased", coalesce(bool_or(${isShortened(db, hostId)}), false) as "hasShortened"
      from connector_tasks
      where tenant_id = ${tenantId} and connector_id = ${connectorId} and state = 'leased') leased
    where tenant_id = ${tenantId} and connector_id = ${connectorId}`
  return row ?? { isAnythingToDo: false, isNews: false, isAnythingLeased: false, hasShortened: false }
}

type Locked = Pick<
  Connector,
  'id' | 'appId' | 'displayName' | 'syncEverySeconds' | 'cronSpec' | 'cronTimeZone' | 'nextSyncAt' | 'syncDisabledAt'
> & { isProvisioningDisabled: boolean }

/** Locked until the transaction ends: only one transaction at a time decides what a connector has to do. */
export async function lockConnector(tx: Tx, tenantId: number, connectorId: string): Promise<Locked | null> {
  const [row] = await tx<Locked[]>`
    select connector_id as id, app_id as "appId", display_name as "displayName", sync_every_seconds as "syncEverySeconds",
      cron_spec as "cronSpec", cron_time_zone as "cronTimeZone", next_sync_at as "nextSyncAt",
      sync_disabled_at as "syncDisabledAt", provisioning_disabled as "isProvisioningDisabled"
    from connectors where tenant_id = ${tenantId} and connector_id = ${connectorId} and deleted_at is null
    for no key update`
  return row ?? null
}

/** Those that have not ended, or have an unknown outcome, oldest first. */
export async function listOpenTasks(db: Reads, tenantId: number, connectorId: string): Promise<ConnectorTask[]> {
  return db<ConnectorTask[]>`
    select ${taskColumns(db)} from connector_tasks
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and state in ('queued', 'leased', 'merging', 'held', 'unknown')
    order by task_id limit 1000`
}

/** Those whose host did not report within the lease. */
export async function listLapsed(db: Reads, tenantId: number, connectorId: string, at: Date): Promise<ConnectorTask[]> {
  return db<ConnectorTask[]>`
    select ${taskColumns(db)} from connector_tasks
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and state = 'leased' and lease_until <= ${at}
    order by task_id limit 1000`
}

export async function listLeased(db: Reads, tenantId: number, connectorId: string): Promise<ConnectorTask[]> {
  return db<ConnectorTask[]>`
    select ${taskColumns(db)} from connector_tasks
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and state = 'leased' order by task_id limit 1000`
}

/** Of all tasks that the connector has: the sync, and those for the app. */
export async function shortenLeases(
  tx: Tx,
  tenantId: number,
  connectorId: string,
  { syncUntil, until }: { syncUntil: Date; until: Date },
): Promise<void> {
  await tx`
    update connector_tasks
    set lease_until = least(lease_until, case when kind = 'sync' then ${syncUntil}::timestamptz else ${until}::timestamptz end)
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and state = 'leased'`
}

// A lease that was not shortened ends 15 minutes after it began.
const isShortened = (db: Reads, hostId: string): Fragment => db`
  state = 'leased' and kind <> 'sync' and host_id = ${hostId} and lease_until - begun_at < interval '14 minutes'`

export async function lengthenLeases(
  db: Reads,
  tenantId: number,
  connectorId: string,
  { hostId, at, until }: { hostId: string; at: Date; until: Date },
): Promise<void> {
  await db`
    update connector_tasks set lease_until = ${until}
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and ${isShortened(db, hostId)} and lease_until > ${at}`
}

/** The sync that is queued, running, importing or held: there is at most one. */
export async function findOpenSync(db: Reads, tenantId: number, connectorId: string): Promise<ConnectorTask | null> {
  const [row] = await db<ConnectorTask[]>`
    select ${taskColumns(db)} from connector_tasks
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and kind = 'sync'
      and state in ('queued', 'leased', 'merging', 'held')
    order by task_id limit 1`
  return row ?? null
}

/**
 * The tasks that a connector can carry out in the app now, oldest first. A task waits while another about the same is leased
 * or of unknown outcome: an account is created before its access is granted, and deleted after its access is revoked.
 */
export async function listReady(
  db: Reads,
  tenantId: number,
  connectorId: string,
  limit: number,
): Promise<ProvisioningTask[]> {
  return db<ProvisioningTask[]>`
    select ${taskColumns(db)} from connector_tasks t
    where t.tenant_id = ${tenantId} and t.connector_id = ${connectorId} and t.kind <> 'sync' and t.state = 'queued'
      and not exists (
        select 1 from connector_tasks o
        where o.tenant_id = ${tenantId} and o.app_id = t.app_id and o.account_id = t.account_id and o.kind <> 'sync'
          and (o.state in ('leased', 'unknown') and (o.entitlement_id in ('', t.entitlement_id) or t.entitlement_id = '')
            or o.state = 'queued' and (t.kind = 'delete_account' and o.task_id <> t.task_id
              or o.kind = 'create_account' and t.entitlement_id <> '')))
    order by t.task_id limit ${limit}`
}

export async function findTask(
  db: Reads,
  tenantId: number,
  connectorId: string,
  id: string,
): Promise<ConnectorTask | null> {
  const [row] = await db<ConnectorTask[]>`
    select ${taskColumns(db)} from connector_tasks
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and task_id = ${id}`
  return row ?? null
}

/** The last sync of each of some connectors, by connector: one row for each, even if there were thousands before. */
export async function findLastSyncs(
  db: Reads,
  tenantId: number,
  connectorIds: readonly string[],
): Promise<Map<string, ConnectorTask>> {
  const rows = await db<ConnectorTask[]>`
    select t.* from unnest(${connectorIds}::text[]) as c (id)
    cross join lateral (
      select ${taskColumns(db)} from connector_tasks
      where tenant_id = ${tenantId} and connector_id = c.id and kind = 'sync'
      order by task_id desc limit 1) t`
  return new Map(rows.map((row) => [row.connectorId, row]))
}

export async function insertTask(
  tx: Tx,
  tenantId: number,
  task: { id: string; connectorId: string; kind: 'sync'; askedBy: string; at: Date },
): Promise<void> {
  await tx`
    insert into connector_tasks (tenant_id, connector_id, task_id, kind, state, asked_by, created_at)
    values (${tenantId}, ${task.connectorId}, ${task.id}, ${task.kind}, 'queued', ${task.askedBy}, ${task.at})`
}

export type TaskChange = {
  state: TaskState
  error?: string
  hostId?: string
  leaseUntil?: Date | null
  attempts?: number
  begunAt?: Date
  endedAt?: Date
  uploadId?: string
  importId?: string
  isConfirmed?: boolean
}

export async function updateTask(
  tx: Reads,
  tenantId: number,
  { connectorId, id }: Pick<ConnectorTask, 'connectorId' | 'id'>,
  { state, error, hostId, leaseUntil, attempts, begunAt, endedAt, uploadId, importId, isConfirmed }: TaskChange,
): Promise<void> {
  await tx`
    update connector_tasks set state = ${state}, error = coalesce(${error ?? null}, error),
      host_id = coalesce(${hostId ?? null}, host_id),
      lease_until = ${leaseUntil ?? null}, attempts = coalesce(${attempts ?? null}, attempts),
      begun_at = coalesce(${begunAt ?? null}, begun_at), ended_at = ${endedAt ?? null},
      upload_id = coalesce(${uploadId ?? null}, upload_id), import_id = coalesce(${importId ?? null}, import_id),
      is_confirmed = coalesce(${isConfirmed ?? null}, is_confirmed)
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and task_id = ${id}`
}

/** Renews the leases that a host has; returns the ids of their tasks. */
export async function renewLeases(
  db: Reads,
  tenantId: number,
  connectorId: string,
  { hostId, taskIds, until, at }: { hostId: string; taskIds: readonly string[]; until: Date; at: Date },
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    update connector_tasks set lease_until = greatest(lease_until, ${until})
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and task_id = any(${taskIds}::text[])
      and host_id = ${hostId} and state = 'leased' and lease_until > ${at}
    returning task_id as id`
  return rows.map(({ id }) => id)
}

export async function setNextSync(tx: Reads, tenantId: number, connectorId: string, at: Date | null): Promise<void> {
  await tx`
    update connectors set next_sync_at = ${at} where tenant_id = ${tenantId} and connector_id = ${connectorId}`
}

export const listTenantsWithLapsed = (db: Reads, at: Date): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`select tenant_id from connector_tasks
      where state = 'leased' and lease_until <= ${at} and tenant_id > ${after}`,
  )

export const findNextLapse = (db: Reads, before: Date): Promise<Date | null> =>
  findEarliest(
    db,
    db`select lease_until as at from connector_tasks where state = 'leased' and lease_until <= ${before}`,
  )

export async function listConnectorsWithLapsed(db: Reads, tenantId: number, at: Date): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select distinct connector_id as id from connector_tasks
    where tenant_id = ${tenantId} and state = 'leased' and lease_until <= ${at} limit 1000`
  return rows.map(({ id }) => id)
}

export type Seen = { agent: string; hostId: string; at: Date; notSince: Date }

/** Notes that a connector called, but only if the time or something else about it has changed enough. */
export async function noteSeen(
  db: Reads,
  tenantId: number,
  connectorId: string,
  { agent, hostId, at, notSince }: Seen,
): Promise<void> {
  await db`
    update connectors set agent = ${agent}, host_id = ${hostId}, last_seen_at = ${at}
    where tenant_id = ${tenantId} and connector_id = ${connectorId}
      and (last_seen_at is null or last_seen_at < ${notSince} or host_id <> ${hostId} or agent <> ${agent})`
}

export async function updateMetadata(
  db: Reads,
  tenantId: number,
  connectorId: string,
  metadata: object,
): Promise<void> {
  await db`
    update connectors set metadata = ${db.json(metadata)}, provisioning_refused = ''
    where tenant_id = ${tenantId} and connector_id = ${connectorId}
      and (metadata <> ${db.json(metadata)} or provisioning_refused <> '')`
}

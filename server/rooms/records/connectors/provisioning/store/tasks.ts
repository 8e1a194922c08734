import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { ProvisioningKind, ProvisioningTask, TaskState } from '../../connector.ts'
import { taskColumns } from '../../tasks/store.ts'
import type { Pairs } from './facts.ts'

const openStates = ['queued', 'leased', 'unknown'] as const

/** The tasks of an account that have not ended. */
export async function listOpenOf(
  db: Reads,
  tenantId: number,
  { appId, accountId }: { appId: string; accountId: string },
): Promise<ProvisioningTask[]> {
  return db<ProvisioningTask[]>`
    select ${taskColumns(db)} from connector_tasks
    where tenant_id = ${tenantId} and app_id = ${appId} and account_id = ${accountId} and kind <> 'sync'
      and state = any(${openStates}::text[])
    order by task_id limit 10000`
}

export type NewTask = {
  id: string
  connectorId: string
  appId: string
  entitlementId: string
  accountId: string
  kind: ProvisioningKind
  state: 'queued' | 'failed'
  error: string
  isAwaited: boolean
  askedBy: string
  retryOf: string
  retries: number
  at: Date
}

export async function insertProvisioningTask(tx: Tx, tenantId: number, task: NewTask): Promise<void> {
  await tx`
    insert into connector_tasks (tenant_id, connector_id, task_id, kind, state, asked_by, app_id, entitlement_id,
      account_id, error, is_awaited, retry_of, retries, created_at, ended_at)
    values (${tenantId}, ${task.connectorId}, ${task.id}, ${task.kind}, ${task.state}, ${task.askedBy}, ${task.appId},
      ${task.entitlementId}, ${task.accountId}, ${task.error}, ${task.isAwaited}, ${task.retryOf}, ${task.retries},
      ${task.at}, ${task.state === 'failed' ? task.at : null})`
}

export async function setAwaited(
  tx: Tx,
  tenantId: number,
  { connectorId, id }: { connectorId: string; id: string },
  isAwaited: boolean,
): Promise<void> {
  await tx`
    update connector_tasks set is_awaited = ${isAwaited}
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and task_id = ${id}`
}

/** The last tasks of each pair, newest first. */
export async function listTasksOf(
  db: Reads,
  tenantId: number,
  appId: string,
  pairs: Pairs,
): Promise<ProvisioningTask[]> {
  return db<ProvisioningTask[]>`
    select t.* from unnest(${pairs.map(({ entitlementId }) => entitlementId)}::text[],
      ${pairs.map(({ accountId }) => accountId)}::text[]) as p (entitlement_id, account_id)
    cross join lateral (
      select ${taskColumns(db)} from connector_tasks
      where tenant_id = ${tenantId} and app_id = ${appId} and account_id = p.account_id
        and entitlement_id = p.entitlement_id and kind <> 'sync'
      order by task_id desc limit 10) t`
}

/**
 * Tasks that were leased at some time since the connector began to read the app: a file of that sync may not show their
 * effect.
 */
export async function listInDoubt(
  db: Reads,
  tenantId: number,
  appId: string,
  since: Date,
): Promise<{ kind: ProvisioningKind; state: TaskState; entitlementId: string; accountId: string }[]> {
  return db<{ kind: ProvisioningKind; state: TaskState; entitlementId: string; accountId: string }[]>`
    select kind, state, entitlement_id as "entitlementId", account_id as "accountId" from connector_tasks
    where tenant_id = ${tenantId} and app_id = ${appId} and kind <> 'sync' and begun_at is not null
      and state in ('leased', 'unknown', 'done', 'failed') and (ended_at is null or ended_at >= ${since})
    order by task_id limit 100000`
}

/** The accounts that were created in an app for someone. */
export async function listCreated(db: Reads, tenantId: number, appId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select distinct account_id as id from connector_tasks
    where tenant_id = ${tenantId} and app_id = ${appId} and kind = 'create_account' and state = 'done' limit 100000`
  return rows.map(({ id }) => id)
}

/** Tasks with an outcome that was unknown before a sync began: it shows what the outcome was. */
export async function listToSettle(
  db: Reads,
  tenantId: number,
  connectorId: string,
  before: Date,
): Promise<ProvisioningTask[]> {
  return db<ProvisioningTask[]>`
    select ${taskColumns(db)} from connector_tasks
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and kind <> 'sync' and state = 'unknown' and ended_at < ${before}
    order by task_id limit 10000`
}

export async function setSettledBy(
  tx: Tx,
  tenantId: number,
  { connectorId, id }: { connectorId: string; id: string },
  syncId: string,
): Promise<void> {
  await tx`
    update connector_tasks set settled_by = ${syncId}
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and task_id = ${id}`
}

export type TaskFilter = { connectorId: string; states: readonly TaskState[]; kinds: readonly ProvisioningKind[] }

/** The newest first. */
export async function listProvisioningTasks(
  db: Reads,
  tenantId: number,
  appId: string,
  { connectorId, states, kinds }: TaskFilter,
  { after, limit }: Pick<Page, 'after' | 'limit'>,
): Promise<(ProvisioningTask & { entitlementName: string; accountName: string })[]> {
  return db<(ProvisioningTask & { entitlementName: string; accountName: string })[]>`
    select t.*, coalesce(e.display_name, '') as "entitlementName", coalesce(a.display_name, '') as "accountName"
    from (
      select ${taskColumns(db)} from connector_tasks
      where tenant_id = ${tenantId} and app_id = ${appId} and kind <> 'sync'
        ${after ? db`and task_id < ${after[0] as string}` : db``}
        ${connectorId === '' ? db`` : db`and connector_id = ${connectorId}`}
        ${states.length === 0 ? db`` : db`and state = any(${states}::text[])`}
        ${kinds.length === 0 ? db`` : db`and kind = any(${kinds}::text[])`}
      order by task_id desc limit ${limit}) t
    left join entitlements e on e.tenant_id = ${tenantId} and e.app_id = ${appId} and e.entitlement_id = t."entitlementId"
    left join accounts a on a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.account_id = t."accountId"
    order by t.id desc`
}

export async function findProvisioningTask(
  db: Reads,
  tenantId: number,
  appId: string,
  id: string,
): Promise<ProvisioningTask | null> {
  const [row] = await db<ProvisioningTask[]>`
    select ${taskColumns(db)} from connector_tasks
    where tenant_id = ${tenantId} and app_id = ${appId} and task_id = ${id} and kind <> 'sync'`
  return row ?? null
}

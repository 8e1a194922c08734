import type { Page } from '#kernel/pages.ts'
import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import type { HoldingRef } from '#rooms/records/grants/index.ts'
import type { Counts, Item, ItemState, Run, RunState, ShownItem } from './run.ts'

const runColumns = (db: Reads): Fragment => db`
  run_id as id, remedy, state, error, asked_by as "askedBy", client_id as "clientId", session_id as "sessionId",
  source_address as "sourceAddress", request_id as "requestId", created_at as "createdAt", ended_at as "endedAt",
  undone_by as "undoneBy", undone_at as "undoneAt"`

export async function insertRun(tx: Tx, tenantId: number, run: Run): Promise<void> {
  await tx`
    insert into drift_runs (tenant_id, run_id, remedy, state, asked_by, client_id, session_id, source_address,
      request_id, created_at, ended_at)
    values (${tenantId}, ${run.id}, ${run.remedy}, ${run.state}, ${run.askedBy}, ${run.clientId}, ${run.sessionId},
      ${run.sourceAddress}, ${run.requestId}, ${run.createdAt}, ${run.endedAt})`
}

export async function insertWaiting(
  tx: Tx,
  tenantId: number,
  runId: string,
  refs: readonly HoldingRef[],
): Promise<void> {
  await tx`
    insert into drift_run_items (tenant_id, run_id, app_id, entitlement_id, account_id, state)
    select ${tenantId}::int, ${runId}, i.*, 'waiting' from unnest(
      ${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ entitlementId }) => entitlementId)}::text[],
      ${refs.map(({ accountId }) => accountId)}::text[]) as i`
}

export async function putItem(tx: Tx, tenantId: number, runId: string, item: Item): Promise<void> {
  const { appId, entitlementId, accountId, state, error, taskId, grantIds } = item
  await tx`
    insert into drift_run_items (tenant_id, run_id, app_id, entitlement_id, account_id, state, error, task_id, grant_ids)
    values (${tenantId}, ${runId}, ${appId}, ${entitlementId}, ${accountId}, ${state}, ${error}, ${taskId},
      ${[...grantIds]}::text[])
    on conflict (tenant_id, run_id, app_id, entitlement_id, account_id) do update
      set state = excluded.state, error = excluded.error, task_id = excluded.task_id, grant_ids = excluded.grant_ids`
}

export async function insertRefused(tx: Tx, tenantId: number, runId: string, item: Item): Promise<void> {
  const { appId, entitlementId, accountId, error } = item
  await tx`
    insert into drift_run_items (tenant_id, run_id, app_id, entitlement_id, account_id, state, error)
    values (${tenantId}, ${runId}, ${appId}, ${entitlementId}, ${accountId}, 'refused', ${error})
    on conflict do nothing`
}

const itemColumns = (db: Reads): Fragment => db`
  app_id as "appId", entitlement_id as "entitlementId", account_id as "accountId", state, error,
  task_id as "taskId", grant_ids as "grantIds"`

/** Some items in a state: what is left to do, or to undo. */
export const listItemsIn = (
  db: Reads,
  tenantId: number,
  { runId, state, limit }: { runId: string; state: ItemState; limit: number },
): Promise<Item[]> => db<Item[]>`
  select ${itemColumns(db)} from drift_run_items
  where tenant_id = ${tenantId} and run_id = ${runId} and state = ${state}
  order by app_id, entitlement_id, account_id limit ${limit}`

/** Locks an item, if it is still in a state. */
export async function lockItem(
  tx: Tx,
  tenantId: number,
  runId: string,
  { appId, entitlementId, accountId }: HoldingRef,
  state: ItemState,
): Promise<Item | null> {
  const [row] = await tx<Item[]>`
    select ${itemColumns(tx)} from drift_run_items
    where tenant_id = ${tenantId} and run_id = ${runId} and app_id = ${appId} and entitlement_id = ${entitlementId}
      and account_id = ${accountId} and state = ${state} for update`
  return row ?? null
}

export async function findRun(db: Reads, tenantId: number, id: string): Promise<Run | null> {
  const [row] = await db<Run[]>`
    select ${runColumns(db)} from drift_runs where tenant_id = ${tenantId} and run_id = ${id}`
  return row ?? null
}

export async function lockRun(tx: Tx, tenantId: number, id: string): Promise<Run | null> {
  const [row] = await tx<Run[]>`
    select ${runColumns(tx)} from drift_runs where tenant_id = ${tenantId} and run_id = ${id} for no key update`
  return row ?? null
}

export async function endRun(
  tx: Tx,
  tenantId: number,
  { id, state, error, at }: { id: string; state: RunState; error: string; at: Date },
): Promise<void> {
  await tx`
    update drift_runs set state = ${state}, error = ${error}, ended_at = ${at}
    where tenant_id = ${tenantId} and run_id = ${id}`
}

export async function beginUndo(
  tx: Tx,
  tenantId: number,
  { id, undoneBy, undoneAt, clientId, sessionId, sourceAddress, requestId }: Run,
): Promise<void> {
  await tx`
    update drift_runs set state = 'undoing', error = '', undone_by = ${undoneBy}, undone_at = ${undoneAt},
      client_id = ${clientId}, session_id = ${sessionId}, source_address = ${sourceAddress}, request_id = ${requestId}
    where tenant_id = ${tenantId} and run_id = ${id}`
}

/** Newest first. */
export const listRuns = (
  db: Reads,
  tenantId: number,
  { after, limit }: Pick<Page, 'after' | 'limit'>,
): Promise<Run[]> => db<Run[]>`
  select ${runColumns(db)} from drift_runs
  where tenant_id = ${tenantId} ${after ? db`and run_id < ${after[0] as string}` : db``}
  order by run_id desc limit ${limit}`

export async function countItems(db: Reads, tenantId: number, ids: readonly string[]): Promise<Map<string, Counts>> {
  const rows = await db<{ id: string; state: ItemState; count: number }[]>`
    select run_id as id, state, count(*)::int as count from drift_run_items
    where tenant_id = ${tenantId} and run_id = any(${ids}::text[]) group by run_id, state`
  const none: Counts = { waiting: 0, done: 0, refused: 0, undone: 0, left: 0 }
  const counts = new Map<string, Counts>(ids.map((id) => [id, none]))
  for (const { id, state, count } of rows) counts.set(id, { ...(counts.get(id) ?? none), [state]: count })
  return counts
}

export function listShownItems(
  db: Reads,
  tenantId: number,
  { runId, state }: { runId: string; state: ItemState | null },
  { after, limit }: Pick<Page, 'after' | 'limit'>,
): Promise<ShownItem[]> {
  const [appId = '', entitlementId = '', accountId = ''] = (after ?? []) as string[]
  return db<ShownItem[]>`
    select i.app_id as "appId", i.entitlement_id as "entitlementId", i.account_id as "accountId", i.state, i.error,
      i.task_id as "taskId", i.grant_ids as "grantIds", coalesce(p.display_name, '') as "appName",
      coalesce(e.display_name, '') as "entitlementName", coalesce(a.display_name, '') as "accountName"
    from drift_run_items i
    left join apps p on p.tenant_id = ${tenantId} and p.app_id = i.app_id
    left join entitlements e on e.tenant_id = ${tenantId} and e.app_id = i.app_id and e.entitlement_id = i.entitlement_id
    left join accounts a on a.tenant_id = ${tenantId} and a.app_id = i.app_id and a.account_id = i.account_id
    where i.tenant_id = ${tenantId} and i.run_id = ${runId} ${state === null ? db`` : db`and i.state = ${state}`}
      and (i.app_id, i.entitlement_id, i.account_id) > (${appId}, ${entitlementId}, ${accountId})
    order by i.app_id, i.entitlement_id, i.account_id limit ${limit}`
}

export type EndedGrant = HoldingRef & {
  id: string
  source: 'manual' | 'request'
  grantedBy: string
  grantedAt: Date
  expiresAt: Date | null
}

/** The ended grants that can be restored: not expired, and not granted again in the meantime. */
export const listEnded = (db: Reads, tenantId: number, item: Item, at: Date): Promise<EndedGrant[]> => db<EndedGrant[]>`
  select g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId", g.grant_id as id,
    g.source, g.granted_by as "grantedBy", g.granted_at as "grantedAt", g.expires_at as "expiresAt"
  from grants g
  where g.tenant_id = ${tenantId} and g.app_id = ${item.appId} and g.entitlement_id = ${item.entitlementId}
    and g.account_id = ${item.accountId} and g.grant_id = any(${[...item.grantIds]}::text[]) and g.ended_at is not null
    and (g.expires_at is null or g.expires_at > ${at})
    and not exists (select 1 from grants o where o.tenant_id = ${tenantId} and o.app_id = ${item.appId}
      and o.entitlement_id = ${item.entitlementId} and o.account_id = ${item.accountId} and o.source = g.source
      and o.began_at >= g.ended_at and o.grant_id <> g.grant_id)`

/** Whether a grant that was recorded is still the open one. */
export async function isOpenGrant(db: Reads, tenantId: number, item: Item): Promise<boolean> {
  const rows = await db`
    select 1 from grants g
    where g.tenant_id = ${tenantId} and g.app_id = ${item.appId} and g.entitlement_id = ${item.entitlementId}
      and g.account_id = ${item.accountId} and g.grant_id = any(${[...item.grantIds]}::text[]) and g.ended_at is null`
  return rows.length > 0
}

/** Deletes old runs, a few at a time: the system log shows what was done. */
export async function deleteOld(tx: Tx, tenantId: number, before: Date): Promise<void> {
  await tx`
    delete from drift_runs where tenant_id = ${tenantId} and run_id in (
      select run_id from drift_runs
      where tenant_id = ${tenantId} and created_at < ${before} and state not in ('running', 'undoing')
      order by run_id limit 5)`
}

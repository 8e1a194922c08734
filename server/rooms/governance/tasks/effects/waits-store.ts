import type { Reads, Tx } from '#kernel/sql.ts'
import type { Task } from '../machine/record.ts'

/** Until when an account holds an entitlement by request: no row, or one, which is locked until the transaction ends. */
export async function findRequestEnd(
  tx: Tx,
  tenantId: number,
  { appId, entitlementId, accountId }: Pick<Task, 'appId' | 'entitlementId' | 'accountId'>,
): Promise<{ expiresAt: Date | null }[]> {
  return tx<{ expiresAt: Date | null }[]>`
    select g.expires_at as "expiresAt" from grants g
    where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${entitlementId}
      and g.account_id = ${accountId} and g.source = 'request' and g.ended_at is null for no key update`
}

export type Wait = { taskId: string; connectorId: string; rootId: string; generation: number; place: number }

export async function insertWait(tx: Tx, tenantId: number, wait: Wait): Promise<void> {
  const { taskId, connectorId, rootId, generation, place } = wait
  await tx`
    insert into task_provisionings (tenant_id, task_id, connector_id, connector_task_id, generation, place)
    values (${tenantId}, ${taskId}, ${connectorId}, ${rootId}, ${generation}, ${place})
    on conflict (tenant_id, task_id, connector_task_id) do update set generation = excluded.generation, place = excluded.place`
}

/** What a task waits for, or which tasks wait for something. */
export async function listWaits(
  db: Reads,
  tenantId: number,
  of: { taskId: string } | { rootId: string },
): Promise<Wait[]> {
  return db<Wait[]>`
    select task_id as "taskId", connector_id as "connectorId", connector_task_id as "rootId", generation, place
    from task_provisionings
    where tenant_id = ${tenantId}
      and ${'taskId' in of ? db`task_id = ${of.taskId}` : db`connector_task_id = ${of.rootId}`}
    order by task_id, connector_task_id limit 1000`
}

export async function deleteWait(tx: Tx, tenantId: number, { taskId, rootId }: Wait): Promise<void> {
  await tx`
    delete from task_provisionings
    where tenant_id = ${tenantId} and task_id = ${taskId} and connector_task_id = ${rootId}`
}

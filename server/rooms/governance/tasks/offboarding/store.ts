import type { Reads, Tx } from '#kernel/sql.ts'
import type { Task } from '../machine/record.ts'

export type ToRevoke = { appId: string; entitlementId: string; accountId: string; name: string }

/**
 * What someone holds by request or manually and for which the offboarding has no revocation yet. Grants of rules and imports
 * are not included: they would be granted again.
 */
export async function listToRevoke(
  db: Reads,
  tenantId: number,
  { id, subjectUserId }: Pick<Task, 'id' | 'subjectUserId'>,
  at: Date,
  limit: number,
): Promise<ToRevoke[]> {
  return db<ToRevoke[]>`
    select distinct g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId",
      e.display_name as name
    from accounts a
    join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = g.app_id and e.entitlement_id = g.entitlement_id
    join apps p on p.tenant_id = ${tenantId} and p.app_id = g.app_id
    where a.tenant_id = ${tenantId} and a.user_id = ${subjectUserId} and a.deleted_at is null
      and g.ended_at is null and (g.expires_at is null or g.expires_at > ${at}) and g.source in ('request', 'manual')
      and e.deleted_at is null and p.deleted_at is null
      and not exists (select 1 from tasks t where t.tenant_id = ${tenantId} and t.parent_id = ${id}
        and t.app_id = g.app_id and t.entitlement_id = g.entitlement_id and t.account_id in (g.account_id, ''))
    order by 1, 2, 3 limit ${limit}`
}

/** How the revocations of an offboarding ended, and how many are open. */
export async function countChildren(
  db: Reads,
  tenantId: number,
  parentId: string,
): Promise<{ outcome: string; count: number }[]> {
  return db<{ outcome: string; count: number }[]>`
    select case when t.is_open then 'open' else t.outcome end as outcome, count(*)::int as count from tasks t
    where t.tenant_id = ${tenantId} and t.parent_id = ${parentId} group by 1`
}

/**
 * An open revocation of the same access that does not belong to an offboarding: for the same account, or for all of the
 * person.
 */
export async function findOpenRevocation(
  db: Reads,
  tenantId: number,
  { subjectUserId }: Pick<Task, 'subjectUserId'>,
  { appId, entitlementId, accountId }: ToRevoke,
): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    select t.task_id as id from tasks t
    where t.tenant_id = ${tenantId} and t.app_id = ${appId} and t.entitlement_id = ${entitlementId}
      and t.subject_user_id = ${subjectUserId} and t.account_id in (${accountId}, '') and t.kind = 'revoke'
      and t.is_open and t.parent_id = ''
    order by t.task_id limit 1`
  return row?.id ?? null
}

/** Makes a revocation that someone opened earlier part of the offboarding, unless they closed it concurrently. */
export async function adoptTask(tx: Tx, tenantId: number, id: string, parentId: string): Promise<boolean> {
  const { count } = await tx`
    update tasks set parent_id = ${parentId}
    where tenant_id = ${tenantId} and task_id = ${id} and parent_id = '' and is_open`
  return count > 0
}

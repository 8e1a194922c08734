import type { Fragment, Reads } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'

/** Tenants with open tasks. */
export const listTenantsWithOpen = (db: Reads): Promise<number[]> =>
  listTenantsWith(db, (after) => db`select tenant_id from tasks where is_open and tenant_id > ${after}`)

export async function countOpen(db: Reads, tenantId: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from tasks t where t.tenant_id = ${tenantId} and t.is_open`
  return row?.count ?? 0
}

/** Open tasks, one page in the order of their ids. */
export async function listOpen(db: Reads, tenantId: number, after: string, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select t.task_id as id from tasks t
    where t.tenant_id = ${tenantId} and t.is_open and t.task_id > ${after} order by t.task_id limit ${limit}`
  return rows.map(({ id }) => id)
}

/**
 * Open tasks that no longer match the facts, one page: an assignee cannot sign in, the subject cannot or was changed since
 * (another manager, perhaps), the requested object is deleted, or nobody could continue. With `userIds`, the tasks assigned
 * to them.
 */
export async function listLeftBehind(
  db: Reads,
  tenantId: number,
  { userIds, after, limit }: { userIds: readonly string[]; after: string; limit: number },
): Promise<string[]> {
  const isAble = (user: Fragment): Fragment => db`${user}.status = 'ENABLED' and ${user}.deleted_at is null`
  const theirs = db`exists (select 1 from task_assignees a
    where a.tenant_id = ${tenantId} and a.task_id = t.task_id and a.user_id = any(${userIds}::text[]))`
  const leftBehind = db`(t.stuck_why is not null
    or exists (select 1 from task_assignees a join users u on u.tenant_id = ${tenantId} and u.user_id = a.user_id
      where a.tenant_id = ${tenantId} and a.task_id = t.task_id and not (${isAble(db`u`)}))
    or (t.kind in ('grant', 'revoke') and not exists (select 1 from entitlements e
      join apps p on p.tenant_id = ${tenantId} and p.app_id = e.app_id and p.deleted_at is null
      where e.tenant_id = ${tenantId} and e.app_id = t.app_id and e.entitlement_id = t.entitlement_id
        and e.deleted_at is null))
    or (t.kind = 'grant' and t.account_id <> '' and not exists (select 1 from accounts x
      where x.tenant_id = ${tenantId} and x.app_id = t.app_id and x.account_id = t.account_id
        and x.user_id = t.subject_user_id and x.deleted_at is null))
    or exists (select 1 from users s where s.tenant_id = ${tenantId} and s.user_id = t.subject_user_id
      and (t.kind = 'grant' and not (${isAble(db`s`)})
        or t.step_approvers = 'manager' and s.updated_at >= t.updated_at)))`
  const rows = await db<{ id: string }[]>`
    select t.task_id as id from tasks t
    where t.tenant_id = ${tenantId} and t.is_open and t.task_id > ${after}
      and ${userIds.length > 0 ? theirs : leftBehind}
    order by t.task_id limit ${limit}`
  return rows.map(({ id }) => id)
}

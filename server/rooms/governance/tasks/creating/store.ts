import type { Reads } from '#kernel/sql.ts'

/** The open tasks by which an access profile requested access for some members, or asked to revoke it. */
export async function listOpenOfProfile(
  db: Reads,
  tenantId: number,
  { profileId, userIds, kinds }: { profileId: string; userIds: readonly string[]; kinds: readonly string[] },
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select t.task_id as id from tasks t
    where t.tenant_id = ${tenantId} and t.subject_user_id = any(${userIds}::text[]) and t.is_open
      and t.kind = any(${kinds}::text[]) and t.source ->> 'profileId' = ${profileId}
    order by t.task_id`
  return rows.map(({ id }) => id)
}

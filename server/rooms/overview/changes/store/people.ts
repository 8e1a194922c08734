import type { Reads } from '#kernel/sql.ts'

/** Of some ids, those of users. */
export const findKnownUsers = (
  db: Reads,
  tenantId: number,
  ids: readonly string[],
): Promise<{ id: string; isDeleted: boolean }[]> =>
  db<{ id: string; isDeleted: boolean }[]>`
    select u.user_id as id, u.deleted_at is not null as "isDeleted" from users u
    where u.tenant_id = ${tenantId} and u.user_id = any(${ids}::text[]) limit ${ids.length}`

import type { Reads } from '#kernel/sql.ts'

export type ExampleUser = { id: string; displayName: string; isEnabled: boolean; isDeleted: boolean }

/** The users with these ids; ids without a user are left out. */
export async function listExampleUsers(db: Reads, tenantId: number, ids: readonly string[]): Promise<ExampleUser[]> {
  return db<ExampleUser[]>`
    select u.user_id as id, u.display_name as "displayName", u.status = 'ENABLED' and u.deleted_at is null as "isEnabled",
      u.deleted_at is not null as "isDeleted"
    from users u where u.tenant_id = ${tenantId} and u.user_id = any(${ids}::text[])`
}

import type { Tx } from '#kernel/sql.ts'

/**
 * If two people save rules of a tenant at the same time, one sees what the other saved: together they might form a cycle.
 */
export async function lockSaving(tx: Tx, tenantId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${0x62616975}::int, ${tenantId}::int)`
}

/**
 * The engine's work on a tenant's rules is done in one transaction after the other, on whichever server: what one has read,
 * another does not change before it is done. Requests do not take this lock.
 */
export async function lockEngine(tx: Tx, tenantId: number): Promise<void> {
  await tx`set local lock_timeout = '60s'`
  await tx`select pg_advisory_xact_lock(${0x62616974}::int, ${tenantId}::int)`
}

/**
 * Locks users until the transaction ends, and returns those that exist. Whoever grants them something or revokes it locks
 * them too, so that happens before or after. In the order of their ids, so that no two wait for each other.
 */
export async function lockUserIds(tx: Tx, tenantId: number, ids: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select u.user_id as id from users u
    where u.tenant_id = ${tenantId} and u.user_id = any(${ids}::text[]) and u.deleted_at is null
    order by u.user_id for no key update`
  return rows.map(({ id }) => id)
}

import type { Tx } from '#kernel/sql.ts'

/** Of two who save rules of a tenant at once, one sees what the other saved: together they might make a circle. */
export async function lockSaving(tx: Tx, tenantId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${0x62616975}::int, ${tenantId}::int)`
}

/**
 * The rooms' own work on a tenant's rules goes one transaction after the other, whichever server does it: what one has
 * read, another does not change before it is done. Requests take no part in this.
 */
export async function lockEngine(tx: Tx, tenantId: number): Promise<void> {
  await tx`set local lock_timeout = '60s'`
  await tx`select pg_advisory_xact_lock(${0x62616974}::int, ${tenantId}::int)`
}

/**
 * Holds users until the transaction ends, and answers those that there are. Who gives to them or takes from them holds
 * them too, so it is done before or after. In the order of their ids, so that two do not wait for each other.
 */
export async function lockUserIds(tx: Tx, tenantId: number, ids: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select u.user_id as id from users u
    where u.tenant_id = ${tenantId} and u.user_id = any(${ids}::text[]) and u.deleted_at is null
    order by u.user_id for no key update`
  return rows.map(({ id }) => id)
}

import type { Reads } from '#kernel/sql.ts'
import { forEachTenant, listTenantsWith } from '#kernel/tenants-with.ts'

/** Whether this is the first use of an assertion: also when it comes to two servers at once. */
export async function useAssertionOnce(
  db: Reads,
  tenantId: number,
  credentialId: string,
  { jti, expiresAt }: { jti: string; expiresAt: Date },
): Promise<boolean> {
  // Its own commit does not wait for the disk: that of the event, which comes after it in the same log, does, and the
  // reply waits for that. What the database forgets in a crash was never answered.
  const rows = await db`
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true) as setting)
    insert into used_assertions (tenant_id, credential_id, jti, expires_at)
    select ${tenantId}::int, ${credentialId}::text, ${jti}::text, ${expiresAt}::timestamptz
    from relaxed where setting = 'off'
    on conflict do nothing returning 1 as used`
  return rows.length === 1
}

// Another server's clock may be behind: what has expired here may not have there.
const skewMs = 60_000

/** Assertions that have expired are refused for that; run by the engine. */
export async function deleteExpiredAssertions(db: Reads, now: Date): Promise<void> {
  const before = new Date(now.getTime() - skewMs)
  const tenantIds = await listTenantsWith(
    db,
    (after) => db`select tenant_id from used_assertions where expires_at < ${before} and tenant_id > ${after}`,
  )
  await forEachTenant(
    tenantIds,
    (tenantId) => db`delete from used_assertions where tenant_id = ${tenantId} and expires_at < ${before}`,
  )
}

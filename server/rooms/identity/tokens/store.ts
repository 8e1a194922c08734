import type { Reads } from '#kernel/sql.ts'
import { forEachTenant, listTenantsWith } from '#kernel/tenants-with.ts'

export type Use = { credentialId: string; jti: string; expiresAt: Date }

/**
 * Of these uses of assertions, those that are the first: also if one is sent to two servers at once. In the order of
 * their keys, so that two servers with the same ones do not deadlock.
 */
export async function useAssertionsOnce(
  db: Reads,
  tenantId: number,
  uses: readonly Use[],
): Promise<Pick<Use, 'credentialId' | 'jti'>[]> {
  const sorted = uses.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const credentialIds = db.array(
    'text',
    sorted.map((use) => use.credentialId),
  )
  const jtis = db.array(
    'text',
    sorted.map((use) => use.jti),
  )
  const expiries = db.array(
    'timestamptz',
    sorted.map((use) => use.expiresAt),
  )
  // Its own commit does not wait for the disk: that of the event, which comes after it in the same write-ahead log,
  // does, and the reply waits for that. For what the database loses in a crash, no reply was sent.
  return db<Pick<Use, 'credentialId' | 'jti'>[]>`
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true) as setting)
    insert into used_assertions (tenant_id, credential_id, jti, expires_at)
    select ${tenantId}::int, use.credential_id, use.jti, use.expires_at
    from relaxed, unnest(${credentialIds}, ${jtis}, ${expiries}) as use (credential_id, jti, expires_at)
    where setting = 'off'
    on conflict do nothing returning credential_id as "credentialId", jti`
}

export const keyOf = ({ credentialId, jti }: Pick<Use, 'credentialId' | 'jti'>): string => `${credentialId} ${jti}`

// Another server's clock may be slow: what has expired here may not have there.
const skewMs = 60_000

/** Expired assertions are refused anyway; run by the engine. */
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

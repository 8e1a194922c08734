import type { Reads } from '#kernel/sql.ts'
import type { EntitlementRef } from '../../automation.ts'

const columnsOf = (db: Reads, refs: readonly EntitlementRef[]) =>
  db`unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[]) as w (app_id, entitlement_id)`

/**
 * Whether the row `u` of users holds one of the entitlements. For everyone, the holders are listed once; for a few users,
 * each is looked up, since everyone may be a member of one of the entitlements.
 */
export const holdersOf = (
  db: Reads,
  tenantId: number,
  refs: readonly EntitlementRef[],
  { now, isForAll }: { now: Date; isForAll: boolean },
) =>
  isForAll
    ? db`u.user_id in (
        select a.user_id from ${columnsOf(db, refs)}
        join grants g on g.tenant_id = ${tenantId} and g.app_id = w.app_id and g.entitlement_id = w.entitlement_id
          and g.ended_at is null and (g.expires_at is null or g.expires_at > ${now})
        join accounts a on a.tenant_id = g.tenant_id and a.app_id = g.app_id and a.account_id = g.account_id
          and a.deleted_at is null and a.user_id is not null)`
    : db`exists (
        select 1 from accounts a
        join grants g on g.tenant_id = a.tenant_id and g.app_id = a.app_id and g.account_id = a.account_id
          and g.ended_at is null and (g.expires_at is null or g.expires_at > ${now})
        where a.tenant_id = ${tenantId} and a.user_id = u.user_id and a.deleted_at is null
          and (g.app_id, g.entitlement_id) in (select * from ${columnsOf(db, refs)}))`

/** Which of the entitlements these users hold: `appId/id`, by user. */
export async function listHoldings(
  db: Reads,
  tenantId: number,
  refs: readonly EntitlementRef[],
  userIds: readonly string[],
  now: Date,
): Promise<Map<string, Set<string>>> {
  const rows = await db<{ userId: string; held: string[] }[]>`
    select a.user_id as "userId", array_agg(distinct g.app_id || '/' || g.entitlement_id) as held
    from accounts a
    join grants g on g.tenant_id = a.tenant_id and g.app_id = a.app_id and g.account_id = a.account_id
      and g.ended_at is null and (g.expires_at is null or g.expires_at > ${now})
    where a.tenant_id = ${tenantId} and a.user_id = any(${userIds}::text[]) and a.deleted_at is null
      and (g.app_id, g.entitlement_id) in (select * from ${columnsOf(db, refs)})
    group by a.user_id`
  return new Map(rows.map(({ userId, held }) => [userId, new Set(held)]))
}
